import { setTimeout } from "node:timers/promises";
import { readAt } from "../../db/read-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { log } from "../../log.ts";
import { batches } from "../../search-index/write-chunks.ts";
import { type ChunkRow, chunksQuery } from "../queries.ts";
import { yieldToSearches } from "../search-turns.ts";
import type { CompanyIndex } from "./company-index.ts";
import { ENTRY_BYTES } from "./posting-cache.ts";

/** Few enough that a question waits for the read of one part only briefly. */
const CHUNKS_PER_PART = 25;
/** If content changes again within this time, sources are being ingested, and chunks would soon be out of date again. */
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

const REFRESHING = new Set<Promise<void>>();

/**
 * Starts to read the chunks again that were cached before a change of content, in small parts between searches, until the
 * index changes again or its caches are dropped. The questions after a change then find most chunks in the cache.
 */
export function refreshChunks(index: CompanyIndex, scope: TenantScope): void {
  const refresh = readAgain(index, scope)
    .catch((error) => log().debug({ companyId: scope.companyId, err: error }, "chunks could not be read again"))
    .finally(() => REFRESHING.delete(refresh));
  REFRESHING.add(refresh);
}

/** Resolves when no chunks are read again. */
export async function untilChunksRefreshed(): Promise<void> {
  await Promise.all(REFRESHING);
}

async function readAgain(index: CompanyIndex, scope: TenantScope): Promise<void> {
  const { content, cachedBefore } = index;
  if (!content) return;
  await setTimeout(SETTLED_MS);
  // what was used last is read last, so that the cache keeps it longest
  for (const part of batches(cachedBefore.toReversed(), CHUNKS_PER_PART)) {
    await yieldToSearches();
    if (index.cachedBefore !== cachedBefore) return;
    const ordinals = part.filter((ordinal) => !index.chunks.has(ordinal));
    if (ordinals.length > 0 && !(await readChunksInto(index, scope, { stamp: content.stamp, ordinals }))) return;
  }
}
