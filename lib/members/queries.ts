import { and, asc, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import type { Role } from "../db/column-values.ts";
import { requireRow } from "../db/require-row.ts";
import { memberships, users, userTokens } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

const memberColumns = {
  userId: users.id,
  email: users.email,
  name: users.name,
  role: memberships.role,
  joinedAt: memberships.createdAt,
};

/** Ordered by time of joining, oldest first. */
export async function selectMembers(tx: Transaction, companyId: CompanyId) {
  return tx
    .select(memberColumns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.companyId, companyId))
    .orderBy(asc(memberships.createdAt), asc(users.id));
}

export async function selectMember(tx: Transaction, companyId: CompanyId, userId: string) {
  const [row] = await tx
    .select(memberColumns)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
  return row;
}

export async function isMember(tx: Transaction, companyId: CompanyId, email: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.companyId, companyId), eq(users.email, email)));
  return found.length > 0;
}

/** Locks the admins until the transaction ends, so that two concurrent changes cannot remove the last admin. */
export async function lockAdmins(tx: Transaction, companyId: CompanyId): Promise<string[]> {
  const rows = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.role, "admin")))
    .orderBy(asc(memberships.userId))
    .for("update");
  return rows.map(({ userId }) => userId);
}

export async function updateRole(tx: Transaction, companyId: CompanyId, userId: string, role: Role): Promise<void> {
  await tx
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
}

export async function deleteMembership(tx: Transaction, companyId: CompanyId, userId: string): Promise<void> {
  await tx.delete(memberships).where(and(eq(memberships.companyId, companyId), eq(memberships.userId, userId)));
}

/** @returns whether the membership is new */
export async function insertMembership(tx: Transaction, values: typeof memberships.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(memberships).values(values).onConflictDoNothing().returning({ id: memberships.userId });
  return rows.length > 0;
}

/** Whether a link can still be used. */
const isUsable = and(isNull(userTokens.usedAt), gt(userTokens.expiresAt, sql`now()`));

/** Invitations that can still be used, newest first. */
export async function selectInvitations(tx: Transaction, companyId: CompanyId) {
  return tx
    .select({
      id: userTokens.id,
      email: userTokens.email,
      role: userTokens.role,
      createdAt: userTokens.createdAt,
      expiresAt: userTokens.expiresAt,
    })
    .from(userTokens)
    .where(and(eq(userTokens.companyId, companyId), eq(userTokens.kind, "invitation"), isUsable))
    .orderBy(desc(userTokens.createdAt), asc(userTokens.id));
}

const tokenColumns = {
  id: userTokens.id,
  kind: userTokens.kind,
  email: userTokens.email,
  createdAt: userTokens.createdAt,
};

export async function insertToken(
  tx: Transaction,
  companyId: CompanyId,
  values: Omit<typeof userTokens.$inferInsert, "companyId">,
) {
  return requireRow(
    await tx
      .insert(userTokens)
      .values({ ...values, companyId })
      .returning(tokenColumns),
  );
}

type TokenRow = Awaited<ReturnType<typeof insertToken>>;

/** Deletes earlier unused links of this kind from the company to the person, so that only the newest works. */
export async function deleteEarlierTokens(tx: Transaction, companyId: CompanyId, kept: TokenRow): Promise<void> {
  await tx
    .delete(userTokens)
    .where(
      and(
        eq(userTokens.companyId, companyId),
        eq(userTokens.kind, kept.kind),
        eq(userTokens.email, kept.email),
        lt(userTokens.createdAt, kept.createdAt),
        isNull(userTokens.usedAt),
      ),
    );
}

/** Deletes a link, unless it was used. */
export async function deleteUnusedToken(tx: Transaction, companyId: CompanyId, id: string) {
  const [row] = await tx
    .delete(userTokens)
    .where(and(eq(userTokens.companyId, companyId), eq(userTokens.id, id), isNull(userTokens.usedAt)))
    .returning(tokenColumns);
  return row;
}

export async function deleteInvitation(tx: Transaction, companyId: CompanyId, id: string) {
  const [row] = await tx
    .delete(userTokens)
    .where(
      and(
        eq(userTokens.companyId, companyId),
        eq(userTokens.id, id),
        eq(userTokens.kind, "invitation"),
        isNull(userTokens.usedAt),
      ),
    )
    .returning({ id: userTokens.id, email: userTokens.email });
  return row;
}

/** Deletes every link of the company to this person, used or not, after they stop being a member. */
export async function deleteTokensOf(tx: Transaction, companyId: CompanyId, email: string): Promise<void> {
  await tx.delete(userTokens).where(and(eq(userTokens.companyId, companyId), eq(userTokens.email, email)));
}

/** Deletes the links of the company that this person created and that can still be used. */
export async function deleteTokensBy(tx: Transaction, companyId: CompanyId, createdBy: string) {
  return tx
    .delete(userTokens)
    .where(and(eq(userTokens.companyId, companyId), eq(userTokens.createdBy, createdBy), isUsable))
    .returning({ id: userTokens.id, kind: userTokens.kind, email: userTokens.email });
}
