import { and, eq, isNull, sql } from "drizzle-orm";
import { connection } from "../client.ts";
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
 * Links an account with who a person is at their provider. An account that nobody has proven to be theirs loses its
 * password and its sessions with it.
 * @returns false when it is linked with someone else there
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

export async function unlinkIdentities(userId: string): Promise<void> {
  await connection().db.delete(userIdentities).where(eq(userIdentities.userId, userId));
}
