import { z } from "zod";
import { linkIdentity, userByIdentity } from "../db/system/identities.ts";
import { userByEmail } from "../db/system/people.ts";
import type { User } from "./sign-in.ts";

/** What a provider of single sign-on says of a person. Some send `email_verified` as text. */
const identityClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  email: z.string().toLowerCase(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
});

/** Why single sign-on lets nobody in: the words of the sign-in page say what to do. */
export type IdentityRefusal = "EmailNotVerified" | "AccessDenied" | "OtherIdentity";

/**
 * The user of a person who comes from the provider: the one linked with them, else the one with their e-mail, which the
 * provider must have verified. Nobody becomes a user by it: members are invited.
 */
export async function userOfIdentity(claims: unknown): Promise<User | IdentityRefusal> {
  const parsed = identityClaims.safeParse(claims);
  if (!parsed.success || parsed.data.email_verified !== true) return "EmailNotVerified";
  const { iss: issuer, sub: subject, email } = parsed.data;
  const linked = await userByIdentity({ issuer, subject });
  if (linked) return linked;
  const known = await userByEmail(email);
  if (!known) return "AccessDenied";
  const isNowLinked = await linkIdentity(known.id, { issuer, subject });
  // two sign-ins of one person at the same time link once
  const user = await userByIdentity({ issuer, subject });
  return isNowLinked || user?.id === known.id ? (user ?? "AccessDenied") : "OtherIdentity";
}
