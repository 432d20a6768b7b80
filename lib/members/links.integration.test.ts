import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import { userTokens } from "../db/schema/index.ts";
import { createUserToken } from "../db/system/links.ts";
import { membershipsOf, updateUser } from "../db/system/users.ts";
import { TEST_PASSWORD, testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { changePassword } from "./account.ts";
import { createResetLink, invite, listInvitations, type SentLink, withdrawInvitation } from "./links.ts";
import { acceptInvitation, joinSignedIn, joinWithPassword, readInvitation, readReset, redeemReset } from "./redeem.ts";
import { changeRole, createMember, listMembers, removeMember, resetPassword } from "./service.ts";
import { signIn } from "./sign-in.ts";
import { generateLinkToken, hashLinkToken } from "./token.ts";

const { db } = testDatabase();

const name = "Bea Tuff";
const password = "basalt gneiss tuff";
const expired = { error: "NotFound", message: "This link was used or has expired. Ask for a new one." };

const WITHDRAWN = { action: "invitation.withdrawn", from: null, to: null, page: 1 };

const newEmail = () => `${randomUUID()}@example.com`;

function tokenOf(link: SentLink): string {
  if (link.mailed) throw new Error("the link was mailed");
  return link.url.split("/").at(-1) ?? "";
}

/** A link that the person asked for. */
async function mailedReset(email: string): Promise<string> {
  const token = generateLinkToken();
  const expiresAt = new Date(Date.now() + 60_000);
  await createUserToken({ kind: "password_reset", hash: hashLinkToken(token), mailed: true, email, expiresAt });
  return token;
}

async function expire(email: string): Promise<void> {
  await db
    .update(userTokens)
    .set({ expiresAt: new Date(Date.now() - 1_000) })
    .where(eq(userTokens.email, email));
}

test("an invitation works once, for seven days, and is stored as a hash", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const email = newEmail();
  const link = await invite(scope, admin.actor, { email, role: "support" });
  const token = tokenOf(link);
  expect(link.expiresAt.getTime() / 1_000).toBeCloseTo(Date.now() / 1_000 + 7 * 86_400, -2);
  const [row] = await db.select().from(userTokens).where(eq(userTokens.email, email));
  expect(JSON.stringify(row)).not.toContain(token);

  // reading does not use up the link
  for (const _ of [1, 2])
    expect(await readInvitation(token)).toMatchObject({ email, role: "support", proof: "account" });
  const redeemed = await acceptInvitation({ token, name, password });
  expect(redeemed).toMatchObject({ companyId: scope.companyId, version: 1 });
  expect(await signIn({ email, password })).toMatchObject({ id: redeemed.userId });
  expect((await listMembers(scope, admin.actor)).find(({ email: other }) => other === email)?.role).toBe("support");

  expect(await readInvitation(token)).toBeNull();
  await expect(acceptInvitation({ token, name, password })).rejects.toMatchObject(expired);
  expect(await listInvitations(scope, admin.actor)).toEqual([]);
});

test("without mail, an admin gets any number of links to copy", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "admin");
  const email = newEmail();
  for (let created = 0; created < 12; created++) tokenOf(await invite(scope, actor, { email, role: "support" }));
  expect(await listInvitations(scope, actor)).toHaveLength(1);
});

test("when two people accept at the same time, only one joins", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const token = tokenOf(await invite(scope, admin.actor, { email: newEmail(), role: "support" }));
  const outcomes = await Promise.allSettled([
    acceptInvitation({ token, name, password }),
    acceptInvitation({ token, name, password }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await listMembers(scope, admin.actor)).toHaveLength(2);
});

test("an expired, a withdrawn and a replaced invitation do not work", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const [late, withdrawn, twice] = [newEmail(), newEmail(), newEmail()];
  const lateToken = tokenOf(await invite(scope, admin.actor, { email: late, role: "admin" }));
  await expire(late);
  const withdrawnToken = tokenOf(await invite(scope, admin.actor, { email: withdrawn, role: "admin" }));
  const [open] = await listInvitations(scope, admin.actor);
  await withdrawInvitation(scope, admin.actor, open?.id ?? "");
  const first = tokenOf(await invite(scope, admin.actor, { email: twice, role: "admin" }));
  await invite(scope, admin.actor, { email: twice, role: "support" });
  for (const token of [lateToken, withdrawnToken, first, "", "nonsense"]) {
    expect(await readInvitation(token)).toBeNull();
    await expect(acceptInvitation({ token, name, password })).rejects.toMatchObject(expired);
  }
  expect((await listInvitations(scope, admin.actor)).map(({ email }) => email)).toEqual([twice]);
});

test("an invalid input leaves the invitation unused", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const token = tokenOf(await invite(scope, admin.actor, { email: newEmail(), role: "support" }));
  await expect(acceptInvitation({ token, name, password: "short" })).rejects.toMatchObject({
    error: "ValidationError",
  });
  expect(await readInvitation(token)).not.toBeNull();
});

test("a person with an account proves it by their password, or by being signed in with that email", async () => {
  const [scope, home] = [await testCompany(), await testCompany("Home")];
  const admin = await testMember(scope, "admin");
  const [known, other] = [await testMember(home, "support"), await testMember(home, "support")];
  const token = tokenOf(await invite(scope, admin.actor, { email: known.email, role: "admin" }));
  expect(await readInvitation(token)).toMatchObject({ proof: "password" });
  await expect(acceptInvitation({ token, name, password })).rejects.toMatchObject({ error: "Conflict" });
  await expect(joinWithPassword({ token, password })).rejects.toMatchObject({ error: "Unauthorized" });
  await expect(joinSignedIn(token, other)).rejects.toMatchObject({ error: "Forbidden" });
  expect(await joinWithPassword({ token, password: TEST_PASSWORD })).toMatchObject({ userId: known.id });
  expect((await membershipsOf(known.id)).map(({ role }) => role).sort()).toEqual(["admin", "support"]);

  await expect(invite(scope, admin.actor, { email: known.email, role: "support" })).rejects.toMatchObject({
    error: "Conflict",
  });
  const second = tokenOf(await invite(scope, admin.actor, { email: other.email, role: "support" }));
  expect(await joinSignedIn(second, other)).toMatchObject({ userId: other.id, companyId: scope.companyId });
});

test("a reset link works once, for an hour, and ends every session and every pause", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const { id, email } = await testMember(scope, "support");
  await updateUser(id, { failedSignIns: 9, lockedUntil: new Date(Date.now() + 900_000) });
  const link = await createResetLink(scope, admin.actor, id);
  const token = tokenOf(link);
  expect(link.expiresAt.getTime() / 1_000).toBeCloseTo(Date.now() / 1_000 + 3_600, -2);
  expect(await readReset(token)).toEqual({ email });
  expect(await redeemReset({ token, password })).toMatchObject({ userId: id, version: 2 });
  expect(await signIn({ email, password })).toMatchObject({ id });
  await expect(redeemReset({ token, password })).rejects.toMatchObject(expired);
  expect(await readReset(token)).toBeNull();

  const late = tokenOf(await createResetLink(scope, admin.actor, id));
  await expire(email);
  await expect(redeemReset({ token: late, password })).rejects.toMatchObject(expired);
});

test("a new password ends every other reset link of the person, and no link of another person", async () => {
  const [scope, home] = [await testCompany(), await testCompany("Home")];
  const admin = await testMember(scope, "admin");
  const [person, other] = [await testMember(scope, "support"), await testMember(scope, "support")];
  const { email } = person;
  const kept = tokenOf(await createResetLink(scope, admin.actor, other.id));
  const ways: ((token: string) => Promise<unknown>)[] = [
    (token) => redeemReset({ token, password }),
    () => changePassword(person.id, { current: password, password: TEST_PASSWORD }),
    () => resetPassword(email, password),
    async () => {
      await updateUser(person.id, { emailProvenAt: null });
      await createMember(home, CLI_ACTOR, { email, name, role: "support" });
    },
  ];
  for (const setPassword of ways) {
    const token = tokenOf(await createResetLink(scope, admin.actor, person.id));
    const mailed = await mailedReset(email);
    await setPassword(token);
    expect([await readReset(token), await readReset(mailed)]).toEqual([null, null]);
  }
  expect(await readReset(kept)).toEqual({ email: other.email });
});

test("two reset links of a person that are used at the same time do not block each other", async () => {
  const { email } = await testMember(await testCompany(), "support");
  const tokens = [await mailedReset(email), await mailedReset(email)];
  const outcomes = await Promise.allSettled(tokens.map((token) => redeemReset({ token, password })));
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(expired);
  }
  expect(await signIn({ email, password })).toMatchObject({ email });
});

test("an invitation cannot be used as a reset link, nor the reverse", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const { id } = await testMember(scope, "support");
  const reset = tokenOf(await createResetLink(scope, admin.actor, id));
  const invitation = tokenOf(await invite(scope, admin.actor, { email: newEmail(), role: "support" }));
  await expect(acceptInvitation({ token: reset, name, password })).rejects.toMatchObject(expired);
  await expect(redeemReset({ token: invitation, password })).rejects.toMatchObject(expired);
});

test("an admin cannot take over a person who belongs to another company, whatever the order of steps", async () => {
  const [scope, other] = [await testCompany(), await testCompany("Other")];
  const admin = await testMember(scope, "admin");
  const person = await testMember(scope, "support");
  const early = tokenOf(await createResetLink(scope, admin.actor, person.id));
  await createMember(other, CLI_ACTOR, { email: person.email, name, role: "admin" });
  await expect(redeemReset({ token: early, password })).rejects.toMatchObject(expired);
  await expect(createResetLink(scope, admin.actor, person.id)).rejects.toMatchObject({ error: "Conflict" });
  expect(await signIn({ email: person.email, password: TEST_PASSWORD })).toMatchObject({ id: person.id });
});

test("the links that an admin created stop working when the admin is removed or demoted, those of others do not", async () => {
  const scope = await testCompany();
  const [admin, member] = [await testMember(scope, "admin"), await testMember(scope, "support")];
  const kept = tokenOf(await invite(scope, admin.actor, { email: newEmail(), role: "admin" }));
  const leave: ((userId: string) => Promise<void>)[] = [
    (userId) => removeMember(scope, admin.actor, userId),
    (userId) => changeRole(scope, admin.actor, { userId, role: "support" }),
  ];
  for (const end of leave) {
    const former = await testMember(scope, "admin");
    const email = newEmail();
    const invitation = tokenOf(await invite(scope, former.actor, { email, role: "admin" }));
    const reset = tokenOf(await createResetLink(scope, former.actor, member.id));
    const late = newEmail();
    await invite(scope, former.actor, { email: late, role: "admin" });
    await expire(late);
    await end(former.id);
    await expect(acceptInvitation({ token: invitation, name, password })).rejects.toMatchObject(expired);
    await expect(redeemReset({ token: reset, password })).rejects.toMatchObject(expired);
    // the log names each invitation that an admin could still see
    const { rows } = await browseAudit(scope, admin.actor, { ...WITHDRAWN, actor: admin.actor.name });
    expect(rows.map(({ targetName }) => targetName)).toContain(email);
    expect(rows.map(({ targetName }) => targetName)).not.toContain(late);
  }
  expect(await listInvitations(scope, admin.actor)).toHaveLength(1);
  expect(await readInvitation(kept)).not.toBeNull();
});

test("a reset link does not reveal whether a user id is known in another company", async () => {
  const scope = await testCompany();
  const admin = await testMember(scope, "admin");
  const stranger = await testMember(await testCompany(), "support");
  for (const id of [stranger.id, randomUUID()]) {
    await expect(createResetLink(scope, admin.actor, id)).rejects.toMatchObject({
      error: "NotFound",
      message: "Member not found",
    });
  }
});
