import { readAt } from "../../db/read-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { PostingList } from "../../search-index/postings.ts";
import { postingsQuery, type StoredPostings, toPostingList } from "../../search-index/read-index.ts";
import { type ChunkRow, chunksQuery } from "../queries.ts";
import type { CompanyIndex } from "./company-index.ts";
import { ENTRY_BYTES } from "./posting-cache.ts";

/**
 * Reads the posting lists of these terms from the content of that stamp, and caches them in the index.
 * @returns the lists by term, empty for a term that no chunk contains; null when the content has changed
 */
export async function readPostingsInto(
  index: CompanyIndex,
  scope: TenantScope,
  { stamp, terms }: { stamp: string; terms: number[] },
): Promise<Map<number, PostingList[]> | null> {
  const rows = await readAt<StoredPostings>(scope, stamp, postingsQuery({ companyId: scope.companyId, terms }));
  if (!rows || index.content?.stamp !== stamp) return null;
  const found = Map.groupBy(rows.map(toPostingList), ({ term }) => term);
  const lists = new Map(terms.map((term) => [term, found.get(term) ?? []]));
  for (const [term, list] of lists) index.postings.set(term, list);
  return lists;
}

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
