import { recordAudit } from "../audit/record.ts";
import { renameUser, setPassword, userById } from "../db/system/users.ts";
import { tenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { hashPassword } from "./password.ts";
import { changePasswordInput, profileInput } from "./schema.ts";
import { signIn } from "./sign-in.ts";

/**
 * Changes a person's name, which the audit logs of all their companies record, because their events show names.
 * @throws {AppError} ValidationError
 */
export async function renamePerson(userId: string, input: { name: string }): Promise<void> {
  const { name } = parseInput(profileInput, input);
  await renameUser(userId, name, async (tx, before, companies) => {
    const event = {
      action: "member.renamed" as const,
      target: { type: "user" as const, id: userId, name: before.email },
      detail: { from: before.name, to: name },
    };
    for (const { companyId, role } of companies) {
      const actor = { type: "user", id: userId, name: before.name, companyId, role } as const;
      await recordAudit(tx, tenantScope(companyId).companyId, actor, event);
    }
  });
}

/**
 * Sets a new password, which ends every session and password link of the person. Someone without a password, because
 * they sign in elsewhere, does not need the current one.
 * @returns the version for new sessions
 * @throws {AppError} ValidationError, at `current` when the current password is wrong
 */
export async function changePassword(userId: string, input: { current: string; password: string }): Promise<number> {
  const { current, password } = parseInput(changePasswordInput, input);
  const user = await userById(userId);
  if (!user) throw notFound("User");
  // checked by signIn, so that a stolen session cannot be used to guess the password without pauses
  if (user.passwordHash && !(await signIn({ email: user.email, password: current }))) {
    const message = "is not your password. After several failed attempts, sign-in is paused for a few minutes";
    throw new AppError("ValidationError", `The current password ${message}`, {
      fields: { issues: [{ path: "current", message }] },
    });
  }
  const { sessionVersion } = await setPassword(userId, { passwordHash: await hashPassword(password) });
  return sessionVersion;
}
