import { withDatabaseTimeout } from "../db/database-outage.ts";
import { ping } from "../db/system/database.ts";
import { claimSignIn, updateUser, type userByEmail } from "../db/system/users.ts";
import { findByPassword, requireHashSlot } from "./password.ts";
import { signInInput } from "./schema.ts";

/** Five attempts, then a pause after each failure: 30 seconds, doubling up to 15 minutes. */
const LOCK_OUT = { freeTries: 4, firstPauseSeconds: 30, maxPauseSeconds: 900 };

/**
 * The same text for an unknown person, a wrong password and a pause, so that nobody learns which emails have an
 * account.
 */
export const SIGN_IN_REFUSED =
  "Wrong email or password. After several failed attempts, sign-in is paused for a few minutes.";

export type User = NonNullable<Awaited<ReturnType<typeof userByEmail>>>;

/**
 * Signs in with email and password. Returns null when they do not match or sign-in is paused after too many failed
 * attempts. Takes the same time in every case.
 * @throws {AppError} TooManyRequests while too many people sign in; ServiceUnavailable
 */
export async function signIn(input: unknown): Promise<User | null> {
  const parsed = signInInput.safeParse(input);
  if (!parsed.success) return null;
  const { email, password } = parsed.data;
  requireHashSlot();
  // a database that hangs must not keep the slots for hashes, nor count the attempt as failed when it is back
  await withDatabaseTimeout(ping());
  const user = await findByPassword(() => withDatabaseTimeout(claimSignIn(email, LOCK_OUT)), password);
  if (!user) return null;
  await updateUser(user.id, { failedSignIns: 0, lockedUntil: null });
  return user;
}
