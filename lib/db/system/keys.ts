import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/pg-proxy";
import { z } from "zod";
import { connection } from "../client.ts";
import { apiKeys, companies, embeddingModels, subscriptions } from "../schema/index.ts";
import { servedContentColumns, toServedContent } from "../served-content.ts";
import { batchLookups } from "./batch-lookups.ts";

const HASHES = z.array(z.string().regex(/^[0-9a-f]+$/)).min(1);

/**
 * The key with this token hash, its company's subscription and what its searches return: the one read that every API
 * request makes. Requests that wait are looked up together.
 * @param hash hex
 */
export const keyByHash = batchLookups(keysByHash);

/** Builds the statement once, because building it takes this process longer than the rest of a look-up. */
const KEYS = drizzle(withHashes)
  .select({ key: apiKeys, subscription: subscriptions, content: servedContentColumns })
  .from(apiKeys)
  .innerJoin(companies, eq(companies.id, apiKeys.companyId))
  .leftJoin(embeddingModels, eq(embeddingModels.id, companies.embeddingModelId))
  .leftJoin(subscriptions, eq(subscriptions.companyId, apiKeys.companyId))
  .where(sql`${apiKeys.hash} in (${sql.placeholder("hashes")})`)
  .prepare("keys_by_hash");

/** Sends the hashes as literals, because a statement with parameters costs a second round trip. */
async function withHashes(statement: string, [hashes]: unknown[]) {
  const literals = HASHES.parse(hashes).map((hash) => `'${hash}'`);
  return {
    rows: await connection()
      .sql.unsafe(statement.replace("$1", literals.join(", ")))
      .values(),
  };
}

async function keysByHash(hashes: string[]) {
  const rows = await KEYS.execute({ hashes });
  const byHash = new Map(
    rows.map(({ key, subscription, content }) => [key.hash, { key, subscription, content: toServedContent(content) }]),
  );
  return hashes.map((hash) => byHash.get(hash) ?? null);
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
