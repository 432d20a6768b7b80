import { eq, sql } from "drizzle-orm";
import { type Actor, recordAudit } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { memberships, users, type userTokens } from "../db/schema/index.ts";
import { system } from "../db/system.ts";
import { tenantScope } from "../db/tenant.ts";
import { AppError, parseInput } from "../errors.ts";
import { hashPassword } from "./password.ts";
import { insertMembership } from "./queries.ts";
import { type AcceptInput, acceptInput, type JoinInput, joinInput, type ResetInput, resetInput } from "./schema.ts";
import type { Arrival } from "./sessions.ts";
import { SIGN_IN_REFUSED, signIn, type User } from "./sign-in.ts";
import { hashLinkToken } from "./token.ts";

type TokenRow = typeof userTokens.$inferSelect;

/** Who came in by a link, and where. */
interface LinkArrival extends Arrival {
  companyId: string | null;
}

function over(): AppError {
  return new AppError("NotFound", "This link was used, or is too old. Ask for a new one.");
}

/** What a link's page shows; null when it is unknown, used or expired. Reading it does not use it up: mail scanners read links. */
export async function readInvitation(token: string) {
  const link = await usable("invitation", token);
  if (!link?.companyName) return null;
  const user = await system.userByEmail(link.token.email);
  return {
    email: link.token.email,
    role: link.token.role ?? "support",
    companyName: link.companyName,
    /** `new` chooses a name and a password, `password` proves who they are, `elsewhere` signs in first. */
    person: user ? (user.passwordHash ? ("password" as const) : ("elsewhere" as const)) : ("new" as const),
  };
}

export async function readReset(token: string): Promise<{ email: string } | null> {
  const link = await usable("password_reset", token);
  return link && { email: link.token.email };
}

/** Someone new joins. @throws {AppError} ValidationError; NotFound for a used link; Conflict when the e-mail is known by now */
export async function acceptInvitation(input: AcceptInput): Promise<LinkArrival> {
  const { token, name, password } = parseInput(acceptInput, input);
  const passwordHash = await hashPassword(password);
  const arrival = await system.redeemToken("invitation", hashLinkToken(token), async (tx, link) => {
    const [user] = await tx
      .insert(users)
      .values({ email: link.email, name, passwordHash })
      .onConflictDoNothing()
      .returning();
    if (!user) throw new AppError("Conflict", "This e-mail has an account by now. Reload the page to join with it.");
    return join(tx, link, user);
  });
  return arrived(arrival);
}

/** Someone known joins with their password. @throws {AppError} Unauthorized; NotFound for a used link */
export async function joinWithPassword(input: JoinInput): Promise<LinkArrival> {
  const { token, password } = parseInput(joinInput, input);
  const link = await usable("invitation", token);
  if (!link) throw over();
  const user = await signIn({ email: link.token.email, password });
  if (!user) throw new AppError("Unauthorized", SIGN_IN_REFUSED);
  return joinSignedIn(token, user);
}

/** Someone known joins who is signed in with the e-mail that was invited. @throws {AppError} Forbidden, NotFound */
export async function joinSignedIn(token: string, person: { id: string; email: string }): Promise<LinkArrival> {
  const arrival = await system.redeemToken("invitation", hashLinkToken(token), async (tx, link) => {
    if (link.email !== person.email) throw new AppError("Forbidden", `The invitation is for ${link.email}`);
    const [user] = await tx.select().from(users).where(eq(users.id, person.id));
    if (!user) throw over();
    return join(tx, link, user);
  });
  return arrived(arrival);
}

/**
 * A new password by a link; every session of the person ends, and a pause after failed tries too.
 * @throws {AppError} ValidationError; NotFound for a used link
 */
export async function redeemReset(input: ResetInput): Promise<LinkArrival> {
  const { token, password } = parseInput(resetInput, input);
  const passwordHash = await hashPassword(password);
  const arrival = await system.redeemToken("password_reset", hashLinkToken(token), async (tx, link) => {
    const [user] = await tx
      .update(users)
      .set({ passwordHash, sessionVersion: sql`${users.sessionVersion} + 1`, failedSignIns: 0, lockedUntil: null })
      .where(eq(users.email, link.email))
      .returning();
    if (!user) throw over();
    await refuseOtherCompanies(tx, link, user);
    return { userId: user.id, version: user.sessionVersion, companyId: link.companyId };
  });
  return arrived(arrival);
}

async function join(tx: Transaction, link: TokenRow, user: User): Promise<LinkArrival> {
  if (!link.companyId || !link.role) throw over();
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

/** An admin's link holds while the person is theirs alone: within the hour they may have joined another company. */
async function refuseOtherCompanies(tx: Transaction, link: TokenRow, user: User): Promise<void> {
  if (!link.companyId) return;
  const rows = await tx
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .where(eq(memberships.userId, user.id));
  if (rows.some(({ companyId }) => companyId !== link.companyId) || rows.length === 0) throw over();
}

async function usable(kind: TokenRow["kind"], token: string) {
  const link = await system.userToken(kind, hashLinkToken(token));
  if (!link || link.token.usedAt || link.token.expiresAt <= new Date()) return null;
  return link;
}

function arrived(arrival: LinkArrival | null): LinkArrival {
  if (!arrival) throw over();
  return arrival;
}
