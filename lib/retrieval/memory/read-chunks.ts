import { setTimeout } from "node:timers/promises";
import { readAt } from "../../db/read-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { batches } from "../../search-index/write-chunks.ts";
import { type ChunkRow, chunksQuery } from "../queries.ts";
import { yieldToSearches } from "../search-turns.ts";
import type { CompanyIndex } from "./company-index.ts";
import { ENTRY_BYTES } from "./posting-cache.ts";

/** Few enough that a question waits for the read of one part only briefly. */
const CHUNKS_PER_PART = 25;
/** Content that changes again within this time is being ingested, and reading its chunks again would be in vain. */
const SETTLED_MS = 200;

/**
 * Reads chunks from the content of that stamp, and caches them in the index.
 * @returns null when the content has changed
 */
export async function readChunksInto(
  index: CompanyIndex,
  scope: TenantScope,
  { stamp, ordinals }: { stamp: string; ordinals: number[] },
): Promise<ChunkRow[] | null> {
  const query = chunksQuery({ companyId: scope.companyId, ordinals });
  const rows = await readAt<{ chunk: ChunkRow }>(scope, stamp, query);
  if (!rows || index.content?.stamp !== stamp) return null;
  for (const { chunk } of rows) {
    index.chunks.set(chunk.ordinal, chunk, { size: 2 * JSON.stringify(chunk).length + ENTRY_BYTES });
  }
  return rows.map(({ chunk }) => chunk);
}

/**
 * Reads these chunks again after a change of content, in small parts between searches, until the content changes again.
 * The questions after a change then find most chunks in the cache.
 */
export async function refreshChunks(index: CompanyIndex, scope: TenantScope, ordinals: number[]): Promise<void> {
  const stamp = index.content?.stamp;
  if (!stamp) return;
  await setTimeout(SETTLED_MS);
  for (const part of batches(ordinals, CHUNKS_PER_PART)) {
    await yieldToSearches();
    if (index.content?.stamp !== stamp) return;
    const missing = part.filter((ordinal) => !index.chunks.has(ordinal));
    if (missing.length > 0 && !(await readChunksInto(index, scope, { stamp, ordinals: missing }))) return;
  }
}
