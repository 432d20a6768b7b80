import { requireAdmin, requireOperator } from "../audit/permissions.ts";
import { type Actor, type AuditEvent, recordAudit } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { unlinkIdentities } from "../db/system/identities.ts";
import { changeUsers, createUser, raiseSessionVersion, setPasswordIn, userByEmail } from "../db/system/users.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { alreadyMember, withdrawLinksBy } from "./links.ts";
import { generatePassword, hashPassword } from "./password.ts";
import {
  deleteMembership,
  deleteTokensOf,
  insertMembership,
  isMember,
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
import type { User } from "./sign-in.ts";

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

/**
 * Lists members by time of joining, oldest first.
 * @throws {AppError} Forbidden for support staff
 */
export async function listMembers(scope: TenantScope, actor: Actor) {
  requireAdmin(scope, actor);
  return scope.transaction((tx) => selectMembers(tx, scope.companyId));
}

/**
 * Makes a person a member, for the operator, who vouches for the email. A user with a proven email keeps their
 * password. A user with an unproven email gets a new password, which ends every session, because an admin of another
 * company may have set up the account.
 * @returns a password only if one was generated, and whether the user keeps their own
 * @throws {AppError} ValidationError, Forbidden; Conflict for a member
 */
export async function createMember(scope: TenantScope, actor: Actor, input: CreateMemberInput) {
  requireOperator(actor);
  const { email, name, role, password } = parseInput(createMemberInput, input);
  const known = await userByEmail(email);
  if (known && (await scope.transaction((tx) => isMember(tx, scope.companyId, email)))) throw alreadyMember(email);
  const keepsPassword = Boolean(known?.emailProvenAt);
  const generated = keepsPassword || password ? null : generatePassword();
  const passwordHash = keepsPassword ? null : await hashPassword(password ?? generated ?? "");
  const { id } = await changeUsers(async (tx) => {
    const user = await provenUser(tx, known, { email, name }, passwordHash);
    const added = await insertMembership(tx, { companyId: scope.companyId, userId: user.id, role });
    if (!added) throw alreadyMember(email);
    await audit(tx, scope, actor, { ...user, action: "added", detail: { role } });
    return user;
  });
  return { id, email, role, keepsPassword, ...(generated && { password: generated }) };
}

async function provenUser(
  tx: Transaction,
  known: User | null,
  person: { email: string; name: string },
  passwordHash: string | null,
): Promise<User> {
  if (!known) return createUser(tx, { ...person, passwordHash, emailProvenAt: new Date() });
  return passwordHash === null ? known : setPasswordIn(tx, known.id, { passwordHash, emailProvenAt: new Date() });
}

/**
 * Changes the role and ends the member's sessions, so that no page of the old role stays open. The links that a former
 * admin created stop working.
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
    if (role !== "admin") requireOtherAdmin(admins, userId);
    await updateRole(tx, scope.companyId, userId, role);
    await audit(tx, scope, actor, {
      id: userId,
      email: member.email,
      action: "role_changed",
      detail: { from: member.role, to: role },
    });
    if (role !== "admin") await withdrawLinksBy(tx, scope, actor, userId);
    return true;
  });
  if (changed) await raiseSessionVersion(userId);
}

/**
 * Removes the person from the company, effective with their next request. The links that they created stop working.
 * Their account and other companies stay.
 * @throws {AppError} NotFound, Forbidden; Conflict when the company would have no admin left
 */
export async function removeMember(scope: TenantScope, actor: Actor, userId: string): Promise<void> {
  requireAdmin(scope, actor);
  await scope.transaction(async (tx) => {
    const admins = await lockAdmins(tx, scope.companyId);
    const member = await selectMember(tx, scope.companyId, userId);
    if (!member) throw notFound("Member");
    requireOtherAdmin(admins, userId);
    await deleteMembership(tx, scope.companyId, userId);
    await deleteTokensOf(tx, scope.companyId, member.email);
    await audit(tx, scope, actor, { id: userId, email: member.email, action: "removed" });
    await withdrawLinksBy(tx, scope, actor, userId);
  });
}

/**
 * Sets a new password, which ends every session and password link of the person, for the operator, who vouches for the
 * email. Single sign-on is unlinked, and linked again at its next use.
 */
export async function resetPassword(
  emailAddress: string,
  chosen?: string,
): Promise<{ email: string; password: string }> {
  const user = await userByEmail(emailAddress);
  if (!user) throw notFound(`A user with the email ${emailAddress}`);
  const password = chosen ? parseInput(passwordSchema, chosen) : generatePassword();
  const passwordHash = await hashPassword(password);
  await changeUsers(async (tx) => {
    await setPasswordIn(tx, user.id, { passwordHash, emailProvenAt: new Date() });
    await unlinkIdentities(tx, user.id);
  });
  return { email: user.email, password };
}

function requireOtherAdmin(admins: string[], leaving: string): void {
  if (admins.every((userId) => userId === leaving) && admins.length > 0) {
    throw new AppError("Conflict", "A company needs an admin. Make someone else an admin first.");
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
