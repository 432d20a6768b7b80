/**
 * How the holder of an invitation proves who they are before they join.
 * `account`: no proof, a new person chooses a name and a password · `sign-out`: another user is signed in on this
 * browser · `join`: a click · `password`: their password · `sign-in`: single sign-on · `new-password`: a new password ·
 * `both-passwords`: their current password and a new one.
 */
export type Proof = "account" | "sign-out" | "join" | "password" | "sign-in" | "new-password" | "both-passwords";

interface Invited {
  /** The account with the invited email. */
  user: { id: string; passwordHash: string | null; emailProvenAt: Date | null } | null;
  /** Whether the link was only mailed, so that its holder also owns the email. */
  mailed: boolean;
  /** Number of companies of that account. */
  companies: number;
  /** The user signed in on this browser. */
  signedInAs: string | null;
}

/**
 * Decides which proof an invitation needs. An account set up by a link that an admin saw may belong to that admin, so
 * it never joins another company unchanged: it gets a new password, chosen by someone who has both the link and the
 * account. With a mailed link, or for an account without a company, the link alone is enough: no data of another
 * company is at risk. Pure.
 */
export function proofOf({ user, mailed, companies, signedInAs }: Invited): Proof {
  // the same for a known and an unknown email: the admin who created the link may be looking
  if (signedInAs !== null && signedInAs !== user?.id) return "sign-out";
  if (!user) return "account";
  if (user.emailProvenAt) {
    if (signedInAs) return "join";
    return user.passwordHash ? "password" : "sign-in";
  }
  if (mailed || companies === 0 || signedInAs) return "new-password";
  return user.passwordHash ? "both-passwords" : "sign-in";
}
