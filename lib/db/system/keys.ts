import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { apiKeys, subscriptions } from "../schema/index.ts";

/** The key with this token hash and its company's subscription, in the one read that every API request makes. */
export async function keyByHash(hash: string) {
  const [row] = await connection()
    .db.select({ key: apiKeys, subscription: subscriptions })
    .from(apiKeys)
    .leftJoin(subscriptions, eq(subscriptions.companyId, apiKeys.companyId))
    .where(eq(apiKeys.hash, hash));
  return row ?? null;
}

/** Records that a key was used, at most once a minute across all servers. */
export async function touchKey(id: string): Promise<void> {
  await connection()
    .db.update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(eq(apiKeys.id, id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`))),
    );
}

/** The company of a key, for an operator who gives only the key's id. */
export async function companyOfKey(id: string): Promise<string | null> {
  const [row] = await connection().db.select({ companyId: apiKeys.companyId }).from(apiKeys).where(eq(apiKeys.id, id));
  return row?.companyId ?? null;
}
