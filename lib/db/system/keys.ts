import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { apiKeys, subscriptions } from "../schema/index.ts";

/** The key of a token's hash with its company's subscription, in the one read that every API request makes. */
export async function keyByHash(hash: string) {
  const [row] = await connection()
    .db.select({ key: apiKeys, subscription: subscriptions })
    .from(apiKeys)
    .leftJoin(subscriptions, eq(subscriptions.companyId, apiKeys.companyId))
    .where(eq(apiKeys.hash, hash));
  return row ?? null;
}

/** Notes that a key was used, at most once a minute however many servers ask. */
export async function touchKey(id: string): Promise<void> {
  await connection()
    .db.update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`))),
    );
}

/** Whose key it is, for an operator who names the key alone. */
export async function companyOfKey(id: string): Promise<string | null> {
  const [row] = await connection().db.select({ companyId: apiKeys.companyId }).from(apiKeys).where(eq(apiKeys.id, id));
  return row?.companyId ?? null;
}
