import { snapshotAt } from "../../db/read-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { type Eligible, eligibleChunks, eligibleOfAll } from "../../search-index/eligible.ts";
import type { PostingList } from "../../search-index/postings.ts";
import type { EffectiveFilters } from "../../search-index/source-filters.ts";
import type { IndexReader } from "../index-reader.ts";
import type { ChunkRow } from "../queries.ts";
import { sizesOf } from "../vector-search.ts";
import type { CompanyIndex } from "./company-index.ts";
import { nearestIn } from "./nearest.ts";
import { ENTRY_BYTES } from "./posting-cache.ts";
import { readChunksInto, readPostingsInto } from "./read-into.ts";

/** The company's content has changed since the search began, so it has to begin again. */
export class ContentChanged extends Error {}

/** The content changed while all sources were compared with the filters. It could change again: the database searches. */
export class ChangedWhileFiltering extends ContentChanged {}

/**
 * Reads a company's index in memory, and from the database what is not cached, which must be of the same moment.
 * @throws {ContentChanged} from any of its methods
 */
export function memoryReader(scope: TenantScope, index: CompanyIndex): IndexReader & { requireUnchanged(): void } {
  const { companyId } = scope;
  const { blocks, content } = index;
  const sizes = sizesOf(blocks);

  function requireUnchanged(): void {
    if (!content || index.content?.stamp !== content.stamp) throw new ContentChanged();
  }

  /** What `read` finds in the content that the search began with. */
  async function unchanged<Found>(read: (stamp: string) => Promise<Found | null>): Promise<Found> {
    const found = content && (await read(content.stamp));
    requireUnchanged();
    if (!found) throw new ContentChanged();
    return found;
  }

  async function eligible(filters: EffectiveFilters): Promise<Eligible> {
    const key = JSON.stringify(filters);
    const cached = index.eligible.get(key);
    if (cached) return cached;
    const found = Object.keys(filters).length === 0 ? eligibleOfAll(blocks) : await readEligible(key, filters);
    requireUnchanged();
    index.eligible.set(key, found, { size: key.length * 2 + found.blocks.length * 1_024 + ENTRY_BYTES });
    return found;
  }

  async function readEligible(key: string, filters: EffectiveFilters): Promise<Eligible> {
    const found = content && (await readOnce(`${content.stamp} ${key}`, content.stamp, filters));
    if (!found) throw new ContentChanged();
    if (index.content?.stamp !== content.stamp) throw new ChangedWhileFiltering();
    return found;
  }

  /** Reads once for all searches that need the same at a time. */
  function readOnce(key: string, stamp: string, filters: EffectiveFilters): Promise<Eligible | null> {
    const reads = index.eligibleReads;
    const known = reads.get(key);
    if (known) return known;
    const read = snapshotAt(scope, stamp, (tx) => eligibleChunks(tx, { companyId, filters, rows: blocks }));
    const kept = read.finally(() => reads.delete(key));
    reads.set(key, kept);
    return kept;
  }

  async function postings(terms: number[]): Promise<PostingList[]> {
    const known = knownOf(terms, (term) => index.postings.get(term));
    const missing = [...new Set(terms)].filter((term) => !known.has(term));
    if (missing.length > 0) {
      const read = await unchanged((stamp) => readPostingsInto(index, scope, { stamp, terms: missing }));
      for (const [term, lists] of read) known.set(term, lists);
    }
    return [...known.values()].flat();
  }

  async function chunks(ordinals: number[]): Promise<ChunkRow[]> {
    const known = knownOf(ordinals, (ordinal) => index.chunks.get(ordinal));
    const missing = ordinals.filter((ordinal) => !known.has(ordinal));
    if (missing.length > 0) {
      const read = await unchanged((stamp) => readChunksInto(index, scope, { stamp, ordinals: missing }));
      for (const chunk of read) known.set(chunk.ordinal, chunk);
    }
    return [...known.values()];
  }

  return {
    sizes,
    eligible,
    postings,
    chunks,
    async nearest({ query, count, eligible }) {
      requireUnchanged();
      return nearestIn(index, query.vector, { eligible, live: sizes.live, count });
    },
    async cosines({ vector }, ordinals) {
      requireUnchanged();
      return index.cosines(vector, ordinals);
    },
    async texts(ordinals) {
      return knownOf(ordinals, (ordinal) => index.text(ordinal));
    },
    async versionClues(ordinals) {
      return knownOf(ordinals, (ordinal) => index.clues(ordinal));
    },
    requireUnchanged,
  };
}

function knownOf<Value>(keys: number[], read: (key: number) => Value | undefined): Map<number, Value> {
  const values = new Map<number, Value>();
  for (const key of keys) {
    const value = read(key);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}
