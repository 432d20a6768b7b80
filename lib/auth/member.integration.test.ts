import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { sessions } from "../db/schema/index.ts";
import { deleteCompanyRow } from "../db/system/companies.ts";
import { deleteEndedSessions } from "../db/system/sessions.ts";
import { changePassword } from "../members/account.ts";
import { changeRole, createMember, removeMember } from "../members/service.ts";
import { endSession, endSessions, startSession } from "../members/sessions.ts";
import { TEST_PASSWORD, testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { accountOf, memberOf } from "./member.ts";
import { authorise } from "./run-action.ts";

const { db } = testDatabase();

async function signedIn(role: "admin" | "support") {
  const scope = await testCompany();
  await testMember(scope, "admin");
  const { id: userId, email } = await testMember(scope, role);
  return { scope, email, session: await sessionOf(userId, scope.companyId) };
}

async function sessionOf(userId: string, companyId: string, version = 1) {
  return { id: await startSession({ userId, version }), userId, companyId };
}

test("a session ends with sign out everywhere, a new password, a change of role, and deletion of the user", async () => {
  const ends: ((userId: string, scope: Awaited<ReturnType<typeof testCompany>>) => Promise<unknown>)[] = [
    (userId) => endSessions(userId),
    (userId) => changePassword(userId, { current: TEST_PASSWORD, password: "basalt gneiss tuff" }),
    (userId, scope) => changeRole(scope, CLI_ACTOR, { userId, role: "admin" }),
  ];
  for (const end of ends) {
    const { scope, session } = await signedIn("support");
    expect(await accountOf(session)).not.toBeNull();
    await end(session.userId, scope);
    expect(await accountOf(session)).toBeNull();
    expect(await accountOf(await sessionOf(session.userId, scope.companyId, 2))).not.toBeNull();
    // a session begun with an outdated version never works, however late it begins
    expect(await accountOf(await sessionOf(session.userId, scope.companyId, 1))).toBeNull();
  }
});

test("signing out ends the session on this browser only, for every copy of the cookie", async () => {
  const { scope, session } = await signedIn("support");
  const other = await sessionOf(session.userId, scope.companyId);
  await endSession(session.id);
  expect(await accountOf(session)).toBeNull();
  expect(await accountOf(other)).not.toBeNull();
  await endSession(session.id);
});

test("a session works only for its own person, and expires", async () => {
  const { scope, session } = await signedIn("support");
  const stranger = await signedIn("support");
  expect(await accountOf({ ...session, userId: stranger.session.userId })).toBeNull();
  expect(await accountOf({ ...session, id: crypto.randomUUID() })).toBeNull();
  await db
    .update(sessions)
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where(eq(sessions.id, session.id));
  expect(await accountOf(session)).toBeNull();

  const kept = await sessionOf(session.userId, scope.companyId);
  const old = await sessionOf(stranger.session.userId, scope.companyId, 0);
  await deleteEndedSessions();
  const rows = await db.select({ id: sessions.id }).from(sessions);
  const ids = rows.map(({ id }) => id);
  expect([session.id, old.id].filter((id) => ids.includes(id))).toEqual([]);
  expect(ids).toContain(kept.id);
});

test("a wrong current password changes nothing", async () => {
  const { session } = await signedIn("support");
  await expect(
    changePassword(session.userId, { current: "a wrong one", password: "basalt gneiss tuff" }),
  ).rejects.toMatchObject({ error: "ValidationError", fields: { issues: [{ path: "current" }] } });
  expect(await accountOf(session)).not.toBeNull();
});

test("the role is the current one in the database, and a removed member loses access", async () => {
  const { scope, email, session } = await signedIn("support");
  const other = await testCompany("Other");
  await createMember(other, CLI_ACTOR, { email, name: "Ada", role: "admin" });
  const account = await accountOf(session);
  if (!account) throw new Error("no account");
  expect(memberOf(account, scope.companyId)).toMatchObject({ role: "support", actor: { role: "support" } });
  expect(memberOf(account, other.companyId)).toMatchObject({ role: "admin", company: { name: "Other" } });

  await removeMember(scope, CLI_ACTOR, session.userId);
  const after = await accountOf(session);
  if (!after) throw new Error("no account");
  const member = memberOf(after, scope.companyId);
  expect(member?.company.name).toBe("Other");
  // the open page belongs to the first company, so its actions must not run in the other one
  expect(member && (() => authorise(member, { role: "admin", page: { companyId: scope.companyId } }))).toThrow(
    /another company/,
  );

  await removeMember(other, CLI_ACTOR, session.userId).catch(() => undefined);
  await deleteCompanyRow(other.companyId);
  const none = await accountOf(session);
  expect(none && memberOf(none, scope.companyId)).toBeNull();
});

test("an action checks its role and the company of its page", async () => {
  const { scope, session } = await signedIn("support");
  const account = await accountOf(session);
  const member = account && memberOf(account, scope.companyId);
  if (!member) throw new Error("no member");
  const page = { companyId: scope.companyId };
  expect(() => authorise(member, { role: undefined, page })).not.toThrow();
  expect(() => authorise(member, { role: "admin", page })).toThrow(/Only an admin/);
  expect(() => authorise(member, { role: undefined, page: { companyId: "x" } })).toThrow();
  const elsewhere = { role: undefined, page: { companyId: crypto.randomUUID() } };
  expect(() => authorise(member, elsewhere)).toThrow(/another company/);
  expect(() => authorise(member, { ...elsewhere, anyCompany: true })).not.toThrow();
});
