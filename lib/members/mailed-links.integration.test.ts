import { randomUUID } from "node:crypto";
import { afterAll, expect, test, vi } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { userTokens } from "../db/schema/index.ts";
import { HOUR_MS } from "../durations.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { startSmtpServer } from "../testing/smtp-server.ts";
import { createResetLink, invite, listInvitations } from "./links.ts";
import { readInvitation, readReset, redeemReset } from "./redeem.ts";
import { generateLinkToken, hashLinkToken } from "./token.ts";

const smtp = await startSmtpServer();
vi.stubEnv("SMTP_URL", smtp.url);
vi.stubEnv("MAIL_FROM", "no-reply@example.com");
const { db } = testDatabase();
afterAll(() => smtp.close());

const newEmail = () => `${randomUUID()}@example.com`;
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email).length;

async function companyWithAdmin() {
  const scope = await testCompany();
  const { actor, email } = await testMember(scope, "admin");
  return {
    scope,
    actor,
    adminEmail: email,
    inviteTo: (to: string) => invite(scope, actor, { email: to, role: "support" }),
  };
}

const refused = (limit: string) => ({
  error: "TooManyRequests",
  message: expect.stringMatching(new RegExp(`^Limit of ${limit} per minute reached\\. Retry in \\d+ seconds?\\.$`)),
});

test("an admin mails ten links a minute; refusals and other companies do not count", async () => {
  const [company, other] = [await companyWithAdmin(), await companyWithAdmin()];
  await expect(company.inviteTo(company.adminEmail)).rejects.toMatchObject({ error: "Conflict" });
  const invited = Array.from({ length: 10 }, newEmail);
  for (const email of invited) expect(await company.inviteTo(email)).toMatchObject({ mailed: true });

  const [late, { scope, actor }] = [newEmail(), company];
  const member = await testMember(scope, "support");
  await expect(company.inviteTo(late)).rejects.toMatchObject(refused("10 emails"));
  await expect(createResetLink(scope, actor, member.id)).rejects.toMatchObject(refused("10 emails"));
  expect(invited.map(mailsTo)).toEqual(invited.map(() => 1));
  expect(mailsTo(late)).toBe(0);
  expect(await listInvitations(scope, actor)).toHaveLength(10);
  expect(await other.inviteTo(newEmail())).toMatchObject({ mailed: true });
});

test("a person gets one mail a minute, whichever company sends it, and the mailed link stays", async () => {
  const [company, other] = [await companyWithAdmin(), await companyWithAdmin()];
  const email = newEmail();
  await company.inviteTo(email);
  const sent = await listInvitations(company.scope, company.actor);
  for (const { inviteTo } of [company, other]) {
    await expect(inviteTo(email)).rejects.toMatchObject(refused(`1 email to ${email}`));
  }
  expect(mailsTo(email)).toBe(1);
  expect(await listInvitations(company.scope, company.actor)).toEqual(sent);
  expect(await listInvitations(other.scope, other.actor)).toEqual([]);
});

test("a member gets one reset link a minute from admins, and a refused one is not in the log", async () => {
  const { scope, actor } = await companyWithAdmin();
  const { id, email } = await testMember(scope, "support");
  expect(await createResetLink(scope, actor, id)).toMatchObject({ mailed: true });
  await expect(createResetLink(scope, actor, id)).rejects.toMatchObject(refused(`1 email to ${email}`));
  expect(mailsTo(email)).toBe(1);
  const { rows } = await browseAudit(scope, actor, {
    actor: null,
    action: "member.reset_link_created",
    from: null,
    to: null,
    page: 1,
  });
  expect(rows).toHaveLength(1);
});

test("a link that cannot be mailed leaves the earlier one as it was", async () => {
  const { scope, actor, inviteTo } = await companyWithAdmin();
  const member = await testMember(scope, "support");
  const email = newEmail();
  const [invitation, reset] = [generateLinkToken(), generateLinkToken()];
  const shared = { mailed: true, companyId: scope.companyId, expiresAt: new Date(Date.now() + HOUR_MS) };
  await db.insert(userTokens).values([
    { ...shared, kind: "invitation", hash: hashLinkToken(invitation), email, role: "admin" },
    { ...shared, kind: "password_reset", hash: hashLinkToken(reset), email: member.email },
  ]);
  const before = await listInvitations(scope, actor);
  const error = { error: "ServiceUnavailable", message: "The email could not be sent. Try again in a minute." };

  smtp.refuses = true;
  try {
    await expect(inviteTo(email)).rejects.toMatchObject(error);
    await expect(createResetLink(scope, actor, member.id)).rejects.toMatchObject(error);
  } finally {
    smtp.refuses = false;
  }
  expect(await listInvitations(scope, actor)).toEqual(before);
  const withdrawn = { actor: null, action: "invitation.withdrawn", from: null, to: null, page: 1 } as const;
  expect((await browseAudit(scope, actor, withdrawn)).rows).toMatchObject([{ targetName: email }]);
  expect(await readInvitation(invitation)).toMatchObject({ email, role: "admin" });
  expect(await readReset(reset)).toEqual({ email: member.email });
});

test("a reset link that no longer works says to request a new one", async () => {
  const reset = redeemReset({ token: generateLinkToken(), password: "basalt gneiss tuff" });
  const message = "This link was used or has expired. Request a new link.";
  await expect(reset).rejects.toMatchObject({ error: "NotFound", message });
});
