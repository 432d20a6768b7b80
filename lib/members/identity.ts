import { z } from "zod";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { linkIdentity, userByIdentity } from "../db/system/identities.ts";
import { userByEmail } from "../db/system/users.ts";
import type { User } from "./sign-in.ts";

/** The claims of a single sign-on provider about a person. Some send `email_verified` as text. */
const identityClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  email: z.string(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
});

/** Why single sign-on is refused; the sign-in page explains what to do. */
type IdentityRefusal = "EmailNotVerified" | "AccessDenied" | "OtherIdentity";

/**
 * Finds the user for the claims of a single sign-on provider: the linked user, else the user with the email, which the
 * provider must have verified. Single sign-on never creates users, because members are invited.
 */
export async function userOfIdentity(claims: unknown): Promise<User | IdentityRefusal> {
  const parsed = identityClaims.safeParse(claims);
  if (!parsed.success || parsed.data.email_verified !== true) return "EmailNotVerified";
  const { iss: issuer, sub: subject, email } = parsed.data;
  const linked = await withDatabaseTimeout(userByIdentity({ issuer, subject }));
  if (linked) return linked;
  const known = await userByEmail(email);
  if (!known) return "AccessDenied";
  const isNowLinked = await linkIdentity(known.id, { issuer, subject });
  // when a person signs in twice at the same time, only one of them creates the link
  const user = await userByIdentity({ issuer, subject });
  return isNowLinked || user?.id === known.id ? (user ?? "AccessDenied") : "OtherIdentity";
}
