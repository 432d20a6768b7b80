import { and, eq, isNull, sql } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { userIdentities, users } from "../schema/index.ts";

type Identity = Pick<typeof userIdentities.$inferInsert, "issuer" | "subject">;

export async function userByIdentity({ issuer, subject }: Identity) {
  const [row] = await connection()
    .db.select({ user: users })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.userId))
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject)));
  return row?.user ?? null;
}

/**
 * Links an account with a person's identity at their provider. An account whose email was never proven loses its
 * password and its sessions.
 * @returns false when the account or the identity is linked already
 */
export async function linkIdentity(userId: string, identity: Identity): Promise<boolean> {
  return connection().db.transaction(async (tx) => {
    const linked = await tx
      .insert(userIdentities)
      .values({ ...identity, userId })
      .onConflictDoNothing()
      .returning({ userId: userIdentities.userId });
    if (linked.length === 0) return false;
    await tx
      .update(users)
      .set({ passwordHash: null, emailProvenAt: sql`now()`, sessionVersion: sql`${users.sessionVersion} + 1` })
      .where(and(eq(users.id, userId), isNull(users.emailProvenAt)));
    return true;
  });
}

export async function unlinkIdentities(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(userIdentities).where(eq(userIdentities.userId, userId));
}
