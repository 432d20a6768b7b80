/**
 * What the holder of an invitation has to show before they join.
 * `account`: nothing, they are new and choose a name and a password · `sign-out`: someone else is signed in here ·
 * `join`: a click · `password`: their password · `sign-in`: single sign-on · `new-password`: a new password ·
 * `both-passwords`: the password they have, and a new one.
 */
export type Proof = "account" | "sign-out" | "join" | "password" | "sign-in" | "new-password" | "both-passwords";

interface Invited {
  /** The account with the e-mail that was invited. */
  user: { id: string; passwordHash: string | null; emailProvenAt: Date | null } | null;
  /** Whether the link was only mailed, so that its holder also holds the e-mail. */
  mailed: boolean;
  /** Companies of that account. */
  companies: number;
  /** The user who is signed in on this browser. */
  signedInAs: string | null;
}

/**
 * Whoever set up an account by a link that an admin saw may be that admin. So such an account never joins another
 * company as it is: it gets a new password, chosen by someone who holds the link and the account. A link that was mailed,
 * or an account without a company, needs no more than the link: nothing of another company is behind it. Pure.
 */
export function proofOf({ user, mailed, companies, signedInAs }: Invited): Proof {
  // the same for a known and an unknown e-mail: the admin who made the link may be looking
  if (signedInAs !== null && signedInAs !== user?.id) return "sign-out";
  if (!user) return "account";
  if (user.emailProvenAt) {
    if (signedInAs) return "join";
    return user.passwordHash ? "password" : "sign-in";
  }
  if (mailed || companies === 0 || signedInAs) return "new-password";
  return user.passwordHash ? "both-passwords" : "sign-in";
}
