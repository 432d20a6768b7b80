import { raiseSessionVersion, updateUser, userById } from "../db/system/people.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { hashPassword } from "./password.ts";
import { changePasswordInput, profileInput } from "./schema.ts";
import { signIn } from "./sign-in.ts";

/** @throws {AppError} ValidationError */
export async function renamePerson(userId: string, input: { name: string }): Promise<void> {
  const { name } = parseInput(profileInput, input);
  await updateUser(userId, { name });
}

/**
 * A new password, which ends every session of the person. Who has none yet, because they sign in elsewhere, needs none.
 * @returns the version that a new session carries
 * @throws {AppError} ValidationError, at `current` when that is not the password
 */
export async function changePassword(userId: string, input: { current: string; password: string }): Promise<number> {
  const { current, password } = parseInput(changePasswordInput, input);
  const user = await userById(userId);
  if (!user) throw notFound("User");
  // the same way as the sign-in, so that a stolen session cannot try passwords for ever
  if (user.passwordHash && !(await signIn({ email: user.email, password: current }))) {
    const message = "is not your password. After several failed attempts, sign-in is paused for a few minutes";
    throw new AppError("ValidationError", `The current password ${message}`, {
      fields: { issues: [{ path: "current", message }] },
    });
  }
  return raiseSessionVersion(userId, { passwordHash: await hashPassword(password) });
}
