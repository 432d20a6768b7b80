import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { companies, userTokens } from "../schema/index.ts";

type TokenKind = (typeof userTokens.$inferSelect)["kind"];

/** Creates a link that belongs to a person and to no company. */
export async function createUserToken(values: Omit<typeof userTokens.$inferInsert, "companyId">): Promise<void> {
  await connection().db.insert(userTokens).values(values);
}

export async function userTokensSince(kind: TokenKind, email: string, since: Date): Promise<number> {
  return connection().db.$count(
    userTokens,
    and(eq(userTokens.kind, kind), eq(userTokens.email, email), gt(userTokens.createdAt, since)),
  );
}

/** The link with this token hash and its company's name, even if used or expired. */
export async function userToken(kind: TokenKind, hash: string) {
  const [row] = await connection()
    .db.select({ token: userTokens, companyName: companies.name })
    .from(userTokens)
    .leftJoin(companies, eq(companies.id, userTokens.companyId))
    .where(and(eq(userTokens.kind, kind), eq(userTokens.hash, hash)));
  return row ?? null;
}

/**
 * Redeems a link once, even when two requests come at the same time. `work` and the use of the link commit together or
 * not at all.
 * @returns null when the link is unknown, used or expired
 */
export async function redeemToken<T>(
  kind: TokenKind,
  hash: string,
  work: (tx: Transaction, token: typeof userTokens.$inferSelect) => Promise<T>,
): Promise<T | null> {
  return connection().db.transaction(async (tx) => {
    const [token] = await tx
      .update(userTokens)
      .set({ usedAt: sql`now()` })
      .where(
        and(
          eq(userTokens.kind, kind),
          eq(userTokens.hash, hash),
          isNull(userTokens.usedAt),
          gt(userTokens.expiresAt, sql`now()`),
        ),
      )
      .returning();
    return token ? work(tx, token) : null;
  });
}
