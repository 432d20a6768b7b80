import { type Actor, type AuditEvent, recordAudit, requireAdmin } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { system } from "../db/system.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { generatePassword, hashPassword } from "./password.ts";
import {
  deleteMembership,
  deleteTokensOf,
  insertMembership,
  lockAdmins,
  selectMember,
  selectMembers,
  updateRole,
} from "./queries.ts";
import {
  type ChangeRoleInput,
  type CreateMemberInput,
  changeRoleInput,
  createMemberInput,
  password as passwordSchema,
} from "./schema.ts";

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

/** Longest member first. @throws {AppError} Forbidden for support staff */
export async function listMembers(scope: TenantScope, actor: Actor) {
  requireAdmin(scope, actor);
  return scope.transaction((tx) => selectMembers(tx, scope.companyId));
}

/**
 * Makes a person a member of the company. A known e-mail gets the membership and keeps its password.
 * @returns the generated password once, when one was made
 */
export async function createMember(scope: TenantScope, actor: Actor, input: CreateMemberInput) {
  requireAdmin(scope, actor);
  const { email, name, role, password } = parseInput(createMemberInput, input);
  const known = await system.userByEmail(email);
  const generated = known || password ? null : generatePassword();
  const user =
    known ?? (await system.createUser({ email, name, passwordHash: await hashPassword(password ?? generated ?? "") }));
  await scope.transaction(async (tx) => {
    const added = await insertMembership(tx, { companyId: scope.companyId, userId: user.id, role });
    if (!added) throw new AppError("Conflict", `${email} is a member of this company already`);
    await audit(tx, scope, actor, { ...user, action: "added", detail: { role } });
  });
  return { id: user.id, email, role, ...(generated && { password: generated }) };
}

/**
 * Ends the member's sessions, so that no page of the old role stays open.
 * @throws {AppError} NotFound, Forbidden; Conflict when the company would have no admin left
 */
export async function changeRole(scope: TenantScope, actor: Actor, input: ChangeRoleInput): Promise<void> {
  requireAdmin(scope, actor);
  const { userId, role } = parseInput(changeRoleInput, input);
  const changed = await scope.transaction(async (tx) => {
    const admins = await lockAdmins(tx, scope.companyId);
    const member = await selectMember(tx, scope.companyId, userId);
    if (!member) throw notFound("Member");
    if (member.role === role) return false;
    if (role !== "admin") keepAnAdmin(admins, userId);
    await updateRole(tx, scope.companyId, userId, role);
    await audit(tx, scope, actor, {
      id: userId,
      email: member.email,
      action: "role_changed",
      detail: { from: member.role, to: role },
    });
    return true;
  });
  if (changed) await system.raiseSessionVersion(userId);
}

/**
 * Takes the company from the person, on their next click; their other companies and their account stay.
 * @throws {AppError} NotFound, Forbidden; Conflict when the company would have no admin left
 */
export async function removeMember(scope: TenantScope, actor: Actor, userId: string): Promise<void> {
  requireAdmin(scope, actor);
  await scope.transaction(async (tx) => {
    const admins = await lockAdmins(tx, scope.companyId);
    const member = await selectMember(tx, scope.companyId, userId);
    if (!member) throw notFound("Member");
    keepAnAdmin(admins, userId);
    await deleteMembership(tx, scope.companyId, userId);
    await deleteTokensOf(tx, scope.companyId, member.email);
    await audit(tx, scope, actor, { id: userId, email: member.email, action: "removed" });
  });
}

/** A new password, which ends every session of the person: for the operator. */
export async function resetPassword(
  emailAddress: string,
  chosen?: string,
): Promise<{ email: string; password: string }> {
  const user = await system.userByEmail(emailAddress);
  if (!user) throw notFound(`A user with the e-mail ${emailAddress}`);
  const password = chosen ? parseInput(passwordSchema, chosen) : generatePassword();
  await system.raiseSessionVersion(user.id, {
    passwordHash: await hashPassword(password),
    failedSignIns: 0,
    lockedUntil: null,
  });
  return { email: user.email, password };
}

function keepAnAdmin(admins: string[], leaving: string): void {
  if (admins.every((userId) => userId === leaving) && admins.length > 0) {
    throw new AppError("Conflict", "A company needs an admin: make someone else one first");
  }
}

interface MemberEvent extends Pick<AuditEvent, "detail"> {
  id: string;
  email: string;
  action: "added" | "removed" | "role_changed";
}

function audit(tx: Transaction, scope: TenantScope, actor: Actor, event: MemberEvent): Promise<void> {
  const { id, email, action, detail } = event;
  return recordAudit(tx, scope.companyId, actor, {
    action: `member.${action}`,
    target: { type: "user", id, name: email },
    ...(detail && { detail }),
  });
}
