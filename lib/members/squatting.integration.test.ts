import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { userOfSession } from "../db/system/sessions.ts";
import { membershipsOf } from "../db/system/users.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { userOfIdentity } from "./identity.ts";
import { createResetLink, invite, type SentLink } from "./links.ts";
import { hashPassword } from "./password.ts";
import {
  acceptInvitation,
  joinSignedIn,
  joinWithNewPassword,
  joinWithPassword,
  readInvitation,
  redeemReset,
} from "./redeem.ts";
import { createMember, removeMember, resetPassword } from "./service.ts";
import { startSession } from "./sessions.ts";
import { signIn } from "./sign-in.ts";

testDatabase();

const SQUATTER = "known to the squatter";
const VICTIM = "chosen by the victim";
const ISSUER = "https://login.example.com";
const refused = { error: "Unauthorized" };
const changed = { error: "Conflict" };

afterEach(() => vi.unstubAllEnvs());

const newEmail = () => `${randomUUID()}@victim.example`;

function tokenOf(link: SentLink): string {
  if (link.mailed) throw new Error("the link was mailed");
  return link.url.split("/").at(-1) ?? "";
}

async function inviteTo(scope: TenantScope, email: string): Promise<string> {
  const { actor } = await testMember(scope, "admin");
  return tokenOf(await invite(scope, actor, { email, role: "admin" }));
}

/** An admin of company A invites an email of company B and accepts the invitation himself. */
async function squatted() {
  const [a, b] = [await testCompany("A"), await testCompany("B")];
  const email = newEmail();
  const token = await inviteTo(a, email);
  const { userId, version } = await acceptInvitation({ token, name: "Squatter", password: SQUATTER });
  const session = { id: await startSession({ userId, version }), userId };
  return { a, b, email, userId, session };
}

type Squatted = Awaited<ReturnType<typeof squatted>>;

async function companiesOf(userId: string): Promise<string[]> {
  return (await membershipsOf(userId)).map(({ companyId }) => companyId);
}

/** Checks that neither the squatter's password nor his session opens the account. */
async function expectSquatterLockedOut({ email, session }: Squatted): Promise<void> {
  expect(await signIn({ email, password: SQUATTER })).toBeNull();
  expect(await userOfSession(session)).toBeNull();
}

test("squatted, then added by B's operator: the account gets a new password, which the operator hands over", async () => {
  const squat = await squatted();
  const { a, b, email, userId } = squat;
  const made = await createMember(b, CLI_ACTOR, { email, name: "Victim", role: "admin" });
  expect(made).toMatchObject({ id: userId, password: expect.any(String) });
  await expectSquatterLockedOut(squat);
  expect(await signIn({ email, password: made.password })).toMatchObject({ id: userId });
  // A's admin cannot get in by a link of his own either
  const { actor } = await testMember(a, "admin");
  await expect(createResetLink(a, actor, userId)).rejects.toMatchObject(changed);
});

test("a password chosen by the operator is set, and adding the member again is a conflict that changes nothing", async () => {
  const squat = await squatted();
  const { b, email, userId } = squat;
  const made = await createMember(b, CLI_ACTOR, { email, name: "Victim", role: "admin", password: VICTIM });
  expect(made).not.toHaveProperty("password");
  await expectSquatterLockedOut(squat);
  await expect(createMember(b, CLI_ACTOR, { email, name: "V", role: "admin" })).rejects.toMatchObject(changed);
  expect(await signIn({ email, password: VICTIM })).toMatchObject({ id: userId });
});

test("squatted, then invited by B: neither the link nor the password is enough alone", async () => {
  const { b, email, userId, session } = await squatted();
  const token = await inviteTo(b, email);
  expect(await readInvitation(token)).toMatchObject({ proof: "both-passwords" });
  await expect(joinWithPassword({ token, password: SQUATTER })).rejects.toMatchObject(changed);
  await expect(joinSignedIn(token, { id: userId, email })).rejects.toMatchObject(changed);
  await expect(acceptInvitation({ token, name: "Victim", password: VICTIM })).rejects.toMatchObject(changed);
  for (const current of [undefined, VICTIM]) {
    const input = { token, password: VICTIM, ...(current && { current }) };
    await expect(joinWithNewPassword(input, null)).rejects.toMatchObject(refused);
  }
  expect(await companiesOf(userId)).not.toContain(b.companyId);
  // the session still works: the person may use the account lawfully
  expect(await userOfSession(session)).not.toBeNull();

  // the operator vouches for the person
  const { password } = await resetPassword(email);
  expect(await readInvitation(token)).toMatchObject({ proof: "password" });
  await joinWithPassword({ token, password });
  expect(await companiesOf(userId)).toContain(b.companyId);
  expect(await signIn({ email, password: SQUATTER })).toBeNull();
});

test("invited by B, then squatted: B's link asks for both passwords", async () => {
  const b = await testCompany("B");
  const email = newEmail();
  const token = await inviteTo(b, email);
  expect(await readInvitation(token)).toMatchObject({ proof: "account" });
  await acceptInvitation({ token: await inviteTo(await testCompany("A"), email), name: "S", password: SQUATTER });
  expect(await readInvitation(token)).toMatchObject({ proof: "both-passwords" });
  await expect(acceptInvitation({ token, name: "Victim", password: VICTIM })).rejects.toMatchObject(changed);
});

test("joined B first: A's link opens nothing", async () => {
  const [a, b] = [await testCompany("A"), await testCompany("B")];
  const email = newEmail();
  const early = await inviteTo(a, email);
  const { userId } = await acceptInvitation({ token: await inviteTo(b, email), name: "V", password: VICTIM });
  await expect(acceptInvitation({ token: early, name: "S", password: SQUATTER })).rejects.toMatchObject(changed);
  await expect(joinWithNewPassword({ token: early, password: SQUATTER }, null)).rejects.toMatchObject(refused);
  await expect(joinWithPassword({ token: early, password: SQUATTER })).rejects.toMatchObject(refused);
  expect(await signIn({ email, password: VICTIM })).toMatchObject({ id: userId });
});

test("the other direction: B's admin cannot take over the account of A's member by inviting them", async () => {
  const [a, b] = [await testCompany("A"), await testCompany("B")];
  const email = newEmail();
  const { userId } = await acceptInvitation({ token: await inviteTo(a, email), name: "V", password: VICTIM });
  const token = await inviteTo(b, email);
  const attack = { token, current: SQUATTER, password: SQUATTER };
  await expect(joinWithNewPassword(attack, null)).rejects.toMatchObject(refused);
  const { actor } = await testMember(b, "admin");
  await expect(createResetLink(b, actor, userId)).rejects.toMatchObject({ error: "NotFound" });

  // the member joins with the password that B's admin lacks; the password that A's admin may know stops working
  const redeemed = await joinWithNewPassword({ token, current: VICTIM, password: "chosen for both" }, null);
  expect(redeemed).toMatchObject({ userId, companyId: b.companyId });
  expect((await companiesOf(userId)).sort()).toEqual([a.companyId, b.companyId].sort());
  expect(await signIn({ email, password: VICTIM })).toBeNull();
});

test("a signed-in person joins with a new password, and every other session ends", async () => {
  const { b, email, userId, session } = await squatted();
  const token = await inviteTo(b, email);
  expect(await readInvitation(token, userId)).toMatchObject({ proof: "new-password" });
  const { version } = await joinWithNewPassword({ token, password: VICTIM }, userId);
  expect(await userOfSession(session)).toBeNull();
  const next = { id: await startSession({ userId, version }), userId };
  expect(await userOfSession(next)).toMatchObject({ email });
});

test("squatted, then removed from A: B's link alone is enough, because the account has no other company", async () => {
  const squat = await squatted();
  const { a, b, email, userId } = squat;
  await removeMember(a, CLI_ACTOR, userId);
  expect(await companiesOf(userId)).toEqual([]);
  const token = await inviteTo(b, email);
  expect(await readInvitation(token)).toMatchObject({ proof: "new-password" });
  await joinWithNewPassword({ token, password: VICTIM }, null);
  await expectSquatterLockedOut(squat);
  expect(await companiesOf(userId)).toEqual([b.companyId]);
});

test("a reset link that A's admin used makes the account unproven again", async () => {
  const [a, b] = [await testCompany("A"), await testCompany("B")];
  const admin = await testMember(a, "admin");
  const victim = await testMember(a, "support");
  const reset = tokenOf(await createResetLink(a, admin.actor, victim.id));
  await redeemReset({ token: reset, password: SQUATTER });
  const made = await createMember(b, CLI_ACTOR, { email: victim.email, name: "Victim", role: "admin" });
  expect(made.password).toBeTruthy();
  expect(await signIn({ email: victim.email, password: SQUATTER })).toBeNull();
});

test("squatted, then single sign-on: the provider's person gets the account, the squatter loses it", async () => {
  const squat = await squatted();
  const { b, email, userId } = squat;
  const claims = { iss: ISSUER, sub: randomUUID(), email: email.toUpperCase(), email_verified: true };
  expect(await userOfIdentity(claims)).toMatchObject({ id: userId });
  await expectSquatterLockedOut(squat);
  // the email is proven now, so a membership does not change the password
  expect(await createMember(b, CLI_ACTOR, { email, name: "V", role: "admin" })).not.toHaveProperty("password");
});

test("single sign-on identifies a person by the provider's subject, not by an email that may be reassigned", async () => {
  const scope = await testCompany();
  const { id, email } = await testMember(scope, "support");
  const claims = { iss: ISSUER, sub: randomUUID(), email, email_verified: true };
  expect(await Promise.all([userOfIdentity(claims), userOfIdentity(claims)])).toMatchObject([{ id }, { id }]);
  expect(await userOfIdentity({ ...claims, email: newEmail() })).toMatchObject({ id });
  // the email was given to someone else
  const successor = { ...claims, sub: randomUUID() };
  expect(await userOfIdentity(successor)).toBe("OtherIdentity");
  await resetPassword(email);
  expect(await userOfIdentity(successor)).toMatchObject({ id });
});

test("single sign-on needs an email that the provider has verified, and an invitation", async () => {
  const scope = await testCompany();
  const { email } = await testMember(scope, "support");
  const claims = { iss: ISSUER, sub: randomUUID(), email };
  for (const email_verified of [undefined, false, "false"]) {
    expect(await userOfIdentity({ ...claims, email_verified })).toBe("EmailNotVerified");
  }
  expect(await userOfIdentity({ ...claims, email: newEmail(), email_verified: true })).toBe("AccessDenied");
  expect(await userOfIdentity({ ...claims, email_verified: "true" })).toMatchObject({ email });
});

test("the page of an admin's link is the same for an email with an account elsewhere and one without", async () => {
  const { b, email } = await squatted();
  const admin = await testMember(b, "admin");
  const seen = [];
  for (const address of [email, newEmail()]) {
    const link = await invite(b, admin.actor, { email: address, role: "support" });
    const { email: _, expiresAt: __, ...answer } = { ...link, url: "" };
    const page = await readInvitation(tokenOf(link), admin.id);
    seen.push({ answer, page: { ...page, email: "" } });
  }
  expect(seen[0]).toEqual(seen[1]);
});

test("a made-up link is refused before a password is hashed", async () => {
  const beforeHashes = process.cpuUsage();
  for (let i = 0; i < 10; i++) await hashPassword(VICTIM);
  const hashes = cpuSince(beforeHashes);
  const started = process.cpuUsage();
  for (let i = 0; i < 20; i++) {
    const missing = { error: "NotFound" };
    await expect(acceptInvitation({ token: `no-${i}`, name: "X", password: VICTIM })).rejects.toMatchObject(missing);
    await expect(redeemReset({ token: `no-${i}`, password: VICTIM })).rejects.toMatchObject(missing);
    await expect(joinWithNewPassword({ token: `no-${i}`, password: VICTIM }, null)).rejects.toMatchObject(missing);
  }
  // the sixty calls would hash as often
  expect(cpuSince(started)).toBeLessThan(hashes * 3);
});

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
