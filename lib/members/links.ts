import { requireAdmin } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { getCompany } from "../companies/service.ts";
import type { Transaction } from "../db/client.ts";
import { createUserToken, userTokensSince } from "../db/system/links.ts";
import { membershipsOf, userByEmail } from "../db/system/users.ts";
import type { TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { env } from "../env.ts";
import { AppError, messageOf, notFound, parseInput } from "../errors.ts";
import { log } from "../log.ts";
import { isMailConfigured, sendMail } from "../mail.ts";
import { limitMails } from "./limit-mails.ts";
import {
  deleteEarlierTokens,
  deleteInvitation,
  deleteTokensBy,
  deleteUnusedToken,
  insertToken,
  isMember,
  selectInvitations,
  selectMember,
} from "./queries.ts";
import { forgotInput, type InviteInput, inviteInput } from "./schema.ts";
import { generateLinkToken, hashLinkToken } from "./token.ts";

const INVITATION_DAYS = 7;
const RESET_HOURS = 1;

/** At most one mail per person in this time, however often a reset is requested. */
const RESET_MAIL_INTERVAL_MS = 60_000;

/** How the person gets the link: by mail, or from the admin, who is shown `url` once. */
export type SentLink = { email: string; expiresAt: Date } & ({ mailed: true } | { mailed: false; url: string });

export type Invitation = Awaited<ReturnType<typeof listInvitations>>[number];

/**
 * Lists the invitations that can still be accepted.
 * @throws {AppError} Forbidden for support staff
 */
export async function listInvitations(scope: TenantScope, actor: Actor) {
  requireAdmin(scope, actor);
  return scope.transaction((tx) => selectInvitations(tx, scope.companyId));
}

/**
 * Creates a link to join the company, which replaces an earlier link for the same person once it is delivered.
 * @throws {AppError} ValidationError, Forbidden, TooManyRequests; Conflict when the person is a member already;
 * ServiceUnavailable when the mail cannot be sent
 */
export async function invite(scope: TenantScope, actor: Actor, input: InviteInput): Promise<SentLink> {
  requireAdmin(scope, actor);
  const { email, role } = parseInput(inviteInput, input);
  if (await scope.transaction((tx) => isMember(tx, scope.companyId, email))) throw alreadyMember(email);
  await limitMails(scope, email);
  const { name } = await getCompany(scope, actor);
  const token = generateLinkToken();
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 24 * HOUR_MS);
  const created = await scope.transaction(async (tx) => {
    const row = await insertToken(tx, scope.companyId, {
      kind: "invitation",
      hash: hashLinkToken(token),
      email,
      role,
      mailed: isMailConfigured(),
      createdBy: actor.id,
      expiresAt,
    });
    await recordAudit(tx, scope.companyId, actor, {
      action: "invitation.created",
      target: { type: "invitation", id: row.id, name: email },
      detail: { role },
    });
    return row;
  });
  const url = `${env().publicUrl}/invite/${token}`;
  return replaceOnceSent(scope, actor, created, () =>
    deliverLink({ email, expiresAt, url }, `Join ${name} on Ragstone`, [
      `${actor.name} invites you to ${name} on Ragstone.`,
      `Accept within ${INVITATION_DAYS} days: ${url}`,
    ]),
  );
}

/** Sends a new link, then deletes earlier ones. If it cannot be sent, deletes the new link, so that earlier ones work. */
async function replaceOnceSent(
  scope: TenantScope,
  actor: Actor,
  created: Awaited<ReturnType<typeof insertToken>>,
  send: () => Promise<SentLink>,
): Promise<SentLink> {
  const sent = await send().catch(async (error: unknown) => {
    await scope.transaction(async (tx) => {
      const unused = await deleteUnusedToken(tx, scope.companyId, created.id);
      if (unused?.kind === "invitation") await recordWithdrawn(tx, scope, actor, unused);
    });
    throw error;
  });
  await scope.transaction((tx) => deleteEarlierTokens(tx, scope.companyId, created));
  return sent;
}

/** @throws {AppError} NotFound when the invitation was used or withdrawn; Forbidden */
export async function withdrawInvitation(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  requireAdmin(scope, actor);
  await scope.transaction(async (tx) => {
    const withdrawn = await deleteInvitation(tx, scope.companyId, id);
    if (!withdrawn) throw notFound("Invitation");
    await recordWithdrawn(tx, scope, actor, withdrawn);
  });
}

/** Deletes the links that a person created as an admin, which they may have kept for themselves. */
export async function withdrawLinksBy(
  tx: Transaction,
  scope: TenantScope,
  actor: Actor,
  createdBy: string,
): Promise<void> {
  for (const { kind, ...link } of await deleteTokensBy(tx, scope.companyId, createdBy)) {
    if (kind === "invitation") await recordWithdrawn(tx, scope, actor, link);
  }
}

function recordWithdrawn(
  tx: Transaction,
  scope: TenantScope,
  actor: Actor,
  { id, email }: { id: string; email: string },
): Promise<void> {
  return recordAudit(tx, scope.companyId, actor, {
    action: "invitation.withdrawn",
    target: { type: "invitation", id, name: email },
  });
}

/**
 * Creates a link with which a member chooses a new password. Whoever holds the link can sign in as that person, so
 * without mail an admin gets it only for people who belong to no other company.
 * @throws {AppError} NotFound, Forbidden, TooManyRequests; Conflict for a member of other companies without mail;
 * ServiceUnavailable when the mail cannot be sent
 */
export async function createResetLink(scope: TenantScope, actor: Actor, userId: string): Promise<SentLink> {
  requireAdmin(scope, actor);
  // checked first, so that the answer does not reveal memberships in other companies
  const known = await scope.transaction((tx) => selectMember(tx, scope.companyId, userId));
  if (!known) throw notFound("Member");
  const hasOtherCompanies = (await membershipsOf(userId)).some(({ companyId }) => companyId !== scope.companyId);
  if (hasOtherCompanies && !isMailConfigured()) {
    throw new AppError(
      "Conflict",
      "This person is a member of other companies too, so the link must be sent by email, which is not set up. The operator can set a password: ragstone user password",
    );
  }
  await limitMails(scope, known.email);
  const token = generateLinkToken();
  const expiresAt = new Date(Date.now() + RESET_HOURS * HOUR_MS);
  const hash = hashLinkToken(token);
  const link = { kind: "password_reset", hash, mailed: isMailConfigured(), createdBy: actor.id, expiresAt } as const;
  const { email, created } = await scope.transaction(async (tx) => {
    const member = await selectMember(tx, scope.companyId, userId);
    if (!member) throw notFound("Member");
    const row = hasOtherCompanies ? null : await insertToken(tx, scope.companyId, { ...link, email: member.email });
    await recordAudit(tx, scope.companyId, actor, {
      action: "member.reset_link_created",
      target: { type: "user", id: userId, name: member.email },
    });
    return { email: member.email, created: row };
  });
  const send = () => sendReset(email, token, expiresAt);
  if (created) return replaceOnceSent(scope, actor, created, send);
  // the link belongs to the person, not to the company, and is only sent by mail
  await createUserToken({ ...link, email });
  return send();
}

/**
 * Mails a reset link to a person who forgot their password. Returns nothing, so that nobody learns which emails have
 * an account.
 */
export async function requestReset(input: { email: string }): Promise<void> {
  const { email } = parseInput(forgotInput, input);
  if (!isMailConfigured())
    throw new AppError("Conflict", "Email is not set up. Ask an admin of your company for a link.");
  // not awaited, so that the response time does not show whether the account exists
  mailReset(email).catch((error: unknown) => log().error({ msg: "reset mail failed", error: messageOf(error) }));
}

async function mailReset(email: string): Promise<void> {
  if (!(await userByEmail(email))) return;
  if ((await userTokensSince("password_reset", email, new Date(Date.now() - RESET_MAIL_INTERVAL_MS))) > 0) return;
  const token = generateLinkToken();
  const expiresAt = new Date(Date.now() + RESET_HOURS * HOUR_MS);
  const hash = hashLinkToken(token);
  await createUserToken({ kind: "password_reset", hash, mailed: true, email, expiresAt });
  await sendReset(email, token, expiresAt);
}

function sendReset(email: string, token: string, expiresAt: Date): Promise<SentLink> {
  const url = `${env().publicUrl}/reset/${token}`;
  return deliverLink({ email, expiresAt, url }, "A new password for Ragstone", [
    "Someone, probably you, asked to reset your Ragstone password.",
    `Choose a new password within 1 hour: ${url}`,
    "If it was not you, ignore this message. Your password does not change.",
  ]);
}

interface Link {
  email: string;
  expiresAt: Date;
  url: string;
}

/** Sends the link by mail when mail is set up, else returns it for the admin to hand over. */
async function deliverLink({ url, ...link }: Link, subject: string, lines: string[]): Promise<SentLink> {
  if (!isMailConfigured()) return { ...link, mailed: false, url };
  try {
    await sendMail({ to: link.email, subject, text: lines.join("\n\n") });
  } catch (error) {
    log().error({ msg: "mail failed", error: messageOf(error) });
    throw new AppError("ServiceUnavailable", "The email could not be sent. Try again in a minute.", { cause: error });
  }
  return { ...link, mailed: true };
}

export function alreadyMember(email: string): AppError {
  return new AppError("Conflict", `${email} is already a member of this company. Change their role under Members.`);
}
