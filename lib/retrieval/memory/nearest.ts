import type { Eligible } from "../../search-index/eligible.ts";
import { isLive, ordinalOf, SLOTS_PER_BLOCK } from "../../search-index/postings.ts";
import type { NearChunk } from "../queries.ts";
import type { CompanyIndex } from "./company-index.ts";

/** Below this share of eligible chunks, comparing only these is faster. */
const SPARSE_SHARE = 0.1;
const BINS = 2_048;

/** The `count` nearest of the eligible chunks, nearest first, equal ones by ordinal; fewer only when there are no more. */
export function nearestIn(
  index: CompanyIndex,
  vector: Float32Array,
  { eligible, live, count }: { eligible: Eligible; live: number; count: number },
): NearChunk[] {
  const isSparse = eligible.count < live * SPARSE_SHARE;
  const compared = isSparse ? index.cosines(vector, eligible.ordinals()) : eligibleRows(index, vector, eligible);
  return best(compared, count);
}

function eligibleRows(index: CompanyIndex, vector: Float32Array, { blocks }: Eligible): NearChunk[] {
  const cosines = index.scanAll(vector);
  const found: NearChunk[] = [];
  for (const { block, live } of blocks) {
    const rows = index.rowsOf(block);
    if (!rows) continue;
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) {
      const row = rows[slot] ?? -1;
      if (row >= 0 && isLive(live, slot)) found.push({ ordinal: ordinalOf(block, slot), cosine: cosines[row] ?? 0 });
    }
  }
  return found;
}

/** Sorts only those at or above the lowest bin of a histogram that is still needed. */
function best(compared: NearChunk[], count: number): NearChunk[] {
  const bins = new Uint32Array(BINS);
  for (const { cosine } of compared) bins[binOf(cosine)] = (bins[binOf(cosine)] ?? 0) + 1;
  let lowest = BINS - 1;
  for (let found = bins[lowest] ?? 0; found < count && lowest > 0; found += bins[lowest] ?? 0) lowest--;
  return compared
    .filter(({ cosine }) => binOf(cosine) >= lowest)
    .sort((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal)
    .slice(0, count);
}

function binOf(cosine: number): number {
  return Math.max(0, Math.min(BINS - 1, Math.floor(((cosine + 1) / 2) * BINS)));
}
