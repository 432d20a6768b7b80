import { eq } from "drizzle-orm";
import { type Actor, recordAudit } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { memberships, users, type userTokens } from "../db/schema/index.ts";
import { redeemToken, userToken } from "../db/system/links.ts";
import { membershipsOf, setPasswordIn, userByEmail } from "../db/system/users.ts";
import { tenantScope } from "../db/tenant.ts";
import { AppError, parseInput } from "../errors.ts";
import { isMailConfigured } from "../mail.ts";
import { hashPassword } from "./password.ts";
import { proofOf } from "./proof.ts";
import { insertMembership } from "./queries.ts";
import {
  type AcceptInput,
  acceptInput,
  type JoinInput,
  joinInput,
  type RejoinInput,
  type ResetInput,
  rejoinInput,
  resetInput,
} from "./schema.ts";
import type { AuthenticatedUser } from "./sessions.ts";
import { SIGN_IN_REFUSED, signIn, type User } from "./sign-in.ts";
import { hashLinkToken } from "./token.ts";

type TokenRow = typeof userTokens.$inferSelect;

/** The user who redeemed a link, and the company that they joined. */
interface RedeemedLink extends AuthenticatedUser {
  companyId: string | null;
}

function linkExpiredError(next = "Ask for a new one."): AppError {
  return new AppError("NotFound", `This link was used or has expired. ${next}`);
}

/** With mail, people request reset links themselves; otherwise an admin makes them. */
function resetExpiredError(): AppError {
  return isMailConfigured() ? linkExpiredError("Request a new link.") : linkExpiredError();
}

/**
 * Reads what the page of an invitation shows; null when the link is unknown, used or expired. Does not use up the link,
 * because mail scanners open links.
 * @param signedInAs the user who opens the page
 */
export async function readInvitation(token: string, signedInAs: string | null = null) {
  const link = await findUsableLink("invitation", token);
  if (!link?.companyName) return null;
  const { email, role, mailed } = link.token;
  const user = await userByEmail(email);
  const companies = user ? (await membershipsOf(user.id)).length : 0;
  return {
    email,
    role: role ?? "support",
    companyName: link.companyName,
    proof: proofOf({ user, mailed, companies, signedInAs }),
  };
}

export async function readReset(token: string): Promise<{ email: string } | null> {
  const link = await findUsableLink("password_reset", token);
  return link && { email: link.token.email };
}

/**
 * Joins a new person.
 * @throws {AppError} ValidationError; NotFound for a used link; Conflict when the email got an account in the meantime
 */
export async function acceptInvitation(input: AcceptInput): Promise<RedeemedLink> {
  const { token, name, password } = parseInput(acceptInput, input);
  // checked before the hash, so that a made-up link costs no CPU
  const usableLink = await findUsableLink("invitation", token);
  if (!usableLink) throw linkExpiredError();
  if (await userByEmail(usableLink.token.email)) throw accountChangedError();
  const passwordHash = await hashPassword(password);
  const redeemed = await redeemToken("invitation", hashLinkToken(token), async (tx, link) => {
    const [user] = await tx
      .insert(users)
      .values({ email: link.email, name, passwordHash, emailProvenAt: emailProvenAtFor(link) })
      .onConflictDoNothing()
      .returning();
    if (!user) throw accountChangedError();
    return join(tx, link, user);
  });
  return requireRedeemed(redeemed);
}

/**
 * Joins an existing user by password.
 * @throws {AppError} Unauthorized; NotFound for a used link; Conflict
 */
export async function joinWithPassword(input: JoinInput): Promise<RedeemedLink> {
  const { token, password } = parseInput(joinInput, input);
  const link = await findUsableLink("invitation", token);
  if (!link) throw linkExpiredError();
  const user = await signIn({ email: link.token.email, password });
  if (!user) throw new AppError("Unauthorized", SIGN_IN_REFUSED);
  return joinSignedIn(token, user);
}

/**
 * Joins a user who is signed in with the invited email.
 * @throws {AppError} Forbidden, NotFound, Conflict
 */
export async function joinSignedIn(token: string, person: { id: string; email: string }): Promise<RedeemedLink> {
  const redeemed = await redeemToken("invitation", hashLinkToken(token), async (tx, link) => {
    if (link.email !== person.email)
      throw new AppError("Forbidden", `The invitation is for ${link.email}. Sign in with that email.`);
    const [user] = await tx.select().from(users).where(eq(users.id, person.id));
    if (!user) throw linkExpiredError();
    if (!user.emailProvenAt) throw accountChangedError();
    return join(tx, link, user);
  });
  return requireRedeemed(redeemed);
}

/**
 * Joins a user with an unproven email, who sets a new password; this ends every session.
 * @param signedInAs the user who sends the request
 * @throws {AppError} Unauthorized; NotFound for a used link; Conflict when another proof is needed by now
 */
export async function joinWithNewPassword(input: RejoinInput, signedInAs: string | null): Promise<RedeemedLink> {
  const { token, current, password } = parseInput(rejoinInput, input);
  const invitation = await readInvitation(token, signedInAs);
  if (!invitation) throw linkExpiredError();
  const { email, proof } = invitation;
  if (proof !== "new-password" && proof !== "both-passwords") throw accountChangedError();
  if (proof === "both-passwords" && !(await signIn({ email, password: current }))) {
    throw new AppError("Unauthorized", SIGN_IN_REFUSED);
  }
  const passwordHash = await hashPassword(password);
  const redeemed = await redeemToken("invitation", hashLinkToken(token), async (tx, link) => {
    const [user] = await tx.select().from(users).where(eq(users.email, email)).for("update");
    if (!user) throw linkExpiredError();
    const companies = await tx.$count(memberships, eq(memberships.userId, user.id));
    // checked again under the lock, because a concurrent change may require another proof
    if (proofOf({ user, mailed: link.mailed, companies, signedInAs }) !== proof) throw accountChangedError();
    return join(tx, link, await setPasswordIn(tx, user.id, { passwordHash, emailProvenAt: emailProvenAtFor(link) }));
  });
  return requireRedeemed(redeemed);
}

/**
 * Sets a new password by a link. Ends every session and other password link of the person, and a pause after failed
 * attempts.
 * @throws {AppError} ValidationError; NotFound for a used link
 */
export async function redeemReset(input: ResetInput): Promise<RedeemedLink> {
  const { token, password } = parseInput(resetInput, input);
  if (!(await findUsableLink("password_reset", token))) throw resetExpiredError();
  const passwordHash = await hashPassword(password);
  const redeemed = await redeemToken("password_reset", hashLinkToken(token), async (tx, link) => {
    const [known] = await tx.select().from(users).where(eq(users.email, link.email)).for("update");
    if (!known) throw resetExpiredError();
    const user = await setPasswordIn(tx, known.id, { passwordHash, emailProvenAt: emailProvenAtFor(link) });
    await refuseOtherCompanies(tx, link, user);
    return { userId: user.id, version: user.sessionVersion, companyId: link.companyId };
  });
  if (!redeemed) throw resetExpiredError();
  return redeemed;
}

/** Only the owner of the email can use a mailed link; any other link may have been used by the admin who saw it. */
function emailProvenAtFor({ mailed }: TokenRow): Date | null {
  return mailed ? new Date() : null;
}

async function join(tx: Transaction, link: TokenRow, user: User): Promise<RedeemedLink> {
  if (!link.companyId || !link.role) throw linkExpiredError();
  const { companyId } = tenantScope(link.companyId);
  const actor: Actor = { type: "user", id: user.id, name: user.name, companyId, role: link.role };
  if (await insertMembership(tx, { companyId, userId: user.id, role: link.role })) {
    await recordAudit(tx, companyId, actor, {
      action: "invitation.accepted",
      target: { type: "user", id: user.id, name: user.email },
      detail: { role: link.role },
    });
  }
  return { userId: user.id, version: user.sessionVersion, companyId };
}

/**
 * An admin's reset link works only while the person belongs to no other company: they may have joined one within the
 * hour.
 */
async function refuseOtherCompanies(tx: Transaction, link: TokenRow, user: User): Promise<void> {
  if (!link.companyId) return;
  const rows = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(eq(memberships.userId, user.id));
  if (rows.some(({ companyId }) => companyId !== link.companyId) || rows.length === 0) throw resetExpiredError();
}

function accountChangedError(): AppError {
  return new AppError("Conflict", "This account has changed in the meantime. Reload the page, then join.");
}

async function findUsableLink(kind: TokenRow["kind"], token: string) {
  const link = await withDatabaseTimeout(userToken(kind, hashLinkToken(token)));
  if (!link || link.token.usedAt || link.token.expiresAt <= new Date()) return null;
  return link;
}

function requireRedeemed(redeemed: RedeemedLink | null): RedeemedLink {
  if (!redeemed) throw linkExpiredError();
  return redeemed;
}
