import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createKey, renameKey, revokeKey, rotateKey } from "../api-keys/service.ts";
import { type Actor, CLI_ACTOR } from "../audit/record.ts";
import { createCompany, renameCompany, updateCompanySettings } from "../companies/service.ts";
import { auditLog } from "../db/schema/index.ts";
import * as identities from "../db/system/identities.ts";
import { changeUsers, createUser, userByEmail, userById } from "../db/system/users.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { cancelSubscription, changePlan, resumeSubscription, setSubscription } from "../subscriptions/service.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { createResetLink, invite, listInvitations, withdrawInvitation } from "./links.ts";
import { changeRole, createMember, listMembers, removeMember, resetPassword } from "./service.ts";

testDatabase();

const forbidden = { error: "Forbidden" };
const conflict = { error: "Conflict", message: "A company needs an admin. Make someone else an admin first." };

test("the last admin can be neither removed nor demoted, not even by the operator", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  await testMember(scope, "support");
  for (const actor of [admin.actor, CLI_ACTOR]) {
    await expect(changeRole(scope, actor, { userId: admin.id, role: "support" })).rejects.toMatchObject(conflict);
    await expect(removeMember(scope, actor, admin.id)).rejects.toMatchObject(conflict);
  }
  const second = await testMember(scope, "admin");
  await removeMember(scope, second.actor, admin.id);
  expect((await listMembers(scope, second.actor)).map(({ userId }) => userId)).not.toContain(admin.id);
});

test("when two admins demote each other at the same time, one stays admin", async () => {
  const scope = await testCompany();
  const [one, other] = [await testMember(scope, "admin"), await testMember(scope, "admin")];
  const outcomes = await Promise.allSettled([
    changeRole(scope, one.actor, { userId: other.id, role: "support" }),
    changeRole(scope, other.actor, { userId: one.id, role: "support" }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const roles = (await listMembers(scope, CLI_ACTOR)).map(({ role }) => role);
  expect(roles.sort()).toEqual(["admin", "support"]);
});

test("a change of role ends the person's sessions, setting the same role does not", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const { id } = await testMember(scope, "support");
  await changeRole(scope, admin.actor, { userId: id, role: "admin" });
  expect((await userById(id))?.sessionVersion).toBe(2);
  await changeRole(scope, admin.actor, { userId: id, role: "admin" });
  expect((await userById(id))?.sessionVersion).toBe(2);
});

test("another company's members are not found", async () => {
  const [scope, foreign] = [await testCompany(), await testCompany()];
  const admin = await testMember(scope, "admin");
  const stranger = await testMember(foreign, "support");
  const missing = { error: "NotFound" };
  await expect(changeRole(scope, admin.actor, { userId: stranger.id, role: "admin" })).rejects.toMatchObject(missing);
  await expect(removeMember(scope, admin.actor, stranger.id)).rejects.toMatchObject(missing);
  await expect(createResetLink(scope, admin.actor, stranger.id)).rejects.toMatchObject(missing);
  expect(await listMembers(scope, admin.actor)).toHaveLength(1);
});

test("changes of members are in the audit log", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const { id, email } = await testMember(scope, "support");
  await changeRole(scope, admin.actor, { userId: id, role: "admin" });
  await removeMember(scope, admin.actor, id);
  const rows = await scope.transaction((tx) =>
    tx
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.companyId, scope.companyId), eq(auditLog.targetId, id))),
  );
  expect(rows.map(({ action, actorName, targetName }) => [action, actorName, targetName])).toEqual(
    expect.arrayContaining([
      ["member.added", "Ragstone", email],
      ["member.role_changed", admin.actor.name, email],
      ["member.removed", admin.actor.name, email],
    ]),
  );
});

test("a member who cannot be added, or a password that cannot be set, leaves no account changed", async () => {
  const deleted = tenantScope(randomUUID());
  const add = (email: string) => createMember(deleted, CLI_ACTOR, { email, name: "Ada", role: "admin" });
  const email = `${randomUUID()}@example.com`;
  await expect(add(email)).rejects.toThrow();
  expect(await userByEmail(email)).toBeNull();

  const unproven = await changeUsers((tx) => createUser(tx, { email, name: "Ada", passwordHash: "unusable" }));
  await expect(add(email)).rejects.toThrow();
  expect(await userById(unproven.id)).toEqual(unproven);

  vi.spyOn(identities, "unlinkIdentities").mockRejectedValueOnce(new Error("no connection"));
  await expect(resetPassword(email)).rejects.toThrow("no connection");
  expect(await userById(unproven.id)).toEqual(unproven);
});

const id = "4a1d9f2e-5b6c-4d7e-8f90-a1b2c3d4e5f6";
const adminCalls: Record<string, (scope: TenantScope, actor: Actor) => Promise<unknown>> = {
  listMembers,
  createMember: (scope, actor) => createMember(scope, actor, { email: "x@example.com", name: "X", role: "admin" }),
  changeRole: (scope, actor) => changeRole(scope, actor, { userId: id, role: "admin" }),
  removeMember: (scope, actor) => removeMember(scope, actor, id),
  listInvitations,
  invite: (scope, actor) => invite(scope, actor, { email: "x@example.com", role: "admin" }),
  withdrawInvitation: (scope, actor) => withdrawInvitation(scope, actor, id),
  createResetLink: (scope, actor) => createResetLink(scope, actor, id),
  createKey: (scope, actor) => createKey(scope, actor, { name: "X" }),
  renameKey: (scope, actor) => renameKey(scope, actor, { id, name: "X" }),
  rotateKey: (scope, actor) => rotateKey(scope, actor, { id }),
  revokeKey: (scope, actor) => revokeKey(scope, actor, id),
  cancelSubscription: (scope, actor) => cancelSubscription(scope, actor, { at: "now" }),
  resumeSubscription: (scope, actor) => resumeSubscription(scope, actor),
  changePlan: (scope, actor) => changePlan(scope, actor, { plan: "growth" }),
  setSubscription: (scope, actor) => setSubscription(scope, actor, { status: "ACTIVE" }),
  createCompany: (_, actor) => createCompany(actor, { name: "X" }),
  renameCompany: (scope, actor) => renameCompany(scope, actor, { name: "X" }),
  updateCompanySettings: (scope, actor) => updateCompanySettings(scope, actor, { hashQueries: true }),
};

test.each(Object.entries(adminCalls))("support staff are refused: %s", async (_name, call) => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "support");
  await expect(call(scope, actor)).rejects.toMatchObject(forbidden);
});
