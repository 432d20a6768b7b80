import { type Actor, recordAudit } from "../audit/record.ts";
import { memberships } from "../db/schema/index.ts";
import { system } from "../db/system.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { type CreateMemberInput, createMemberInput, password as passwordSchema } from "./schema.ts";

/**
 * Makes a person a member of the company. A known e-mail gets the membership and keeps its password.
 * @returns the generated password once, when one was made
 */
export async function createMember(scope: TenantScope, actor: Actor, input: CreateMemberInput) {
  const { email, name, role, password } = parseInput(createMemberInput, input);
  const known = await system.userByEmail(email);
  const generated = known || password ? null : generatePassword();
  const user =
    known ?? (await system.createUser({ email, name, passwordHash: await hashPassword(password ?? generated ?? "") }));
  await scope.transaction(async (tx) => {
    const added = await tx
      .insert(memberships)
      .values({ companyId: scope.companyId, userId: user.id, role })
      .onConflictDoNothing()
      .returning({ userId: memberships.userId });
    if (added.length === 0) throw new AppError("Conflict", `${email} is a member of this company already`);
    await recordAudit(tx, scope.companyId, actor, {
      action: "member.added",
      target: { type: "user", id: user.id, name: email },
      detail: { role },
    });
  });
  return { id: user.id, email, role, ...(generated && { password: generated }) };
}

/** A new password, which ends every session of the person. */
export async function resetPassword(
  emailAddress: string,
  chosen?: string,
): Promise<{ email: string; password: string }> {
  const user = await system.userByEmail(emailAddress);
  if (!user) throw notFound(`A user with the e-mail ${emailAddress}`);
  const password = chosen ? parseInput(passwordSchema, chosen) : generatePassword();
  await system.updateUser(user.id, {
    passwordHash: await hashPassword(password),
    sessionVersion: user.sessionVersion + 1,
    failedSignIns: 0,
    lockedUntil: null,
  });
  return { email: user.email, password };
}
