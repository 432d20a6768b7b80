import { readAt } from "../../db/read-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { batches } from "../../search-index/write-chunks.ts";
import { type ChunkRow, chunksQuery } from "../queries.ts";
import { yieldToSearches } from "../search-turns.ts";
import type { CompanyIndex } from "./company-index.ts";
import { ENTRY_BYTES } from "./posting-cache.ts";

/** Few enough that a question waits for the read of one part only briefly. */
const CHUNKS_PER_PART = 25;
/** A change of content makes the database read at most this many chunks again. */
const REFRESHED_MAX = 500;

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
 * Reads the chunks again that were cached before a change of content, in small parts between searches, until the content
 * changes again. The questions after a change then find most chunks in the cache.
 * @param before their ordinals, those used last first
 */
export async function refreshChunks(index: CompanyIndex, scope: TenantScope, before: number[]): Promise<void> {
  const stamp = index.content?.stamp;
  if (!stamp) return;
  for (const part of batches(before.slice(0, REFRESHED_MAX), CHUNKS_PER_PART)) {
    await yieldToSearches();
    if (index.content?.stamp !== stamp) return;
    const ordinals = part.filter((ordinal) => !index.chunks.has(ordinal));
    if (ordinals.length > 0 && !(await readChunksInto(index, scope, { stamp, ordinals }))) return;
  }
}
