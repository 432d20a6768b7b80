import type { Eligible } from "../../search-index/eligible.ts";
import { isLive, ordinalOf, SLOTS_PER_BLOCK } from "../../search-index/postings.ts";
import type { NearChunk } from "../queries.ts";
import { type CompanyIndex, cosineFromSteps } from "./company-index.ts";

/** Below this share of eligible chunks, comparing only these is faster. */
const SPARSE_SHARE = 0.1;
const BINS = 2_048;
const BINS_PER_PRODUCT = (cosineFromSteps(1) * BINS) / 2;

/**
 * The `count` nearest of the eligible chunks, nearest first, equal ones by ordinal; fewer only when there are no more.
 */
export function nearestIn(
  index: CompanyIndex,
  vector: Float32Array,
  { eligible, live, count }: { eligible: Eligible; live: number; count: number },
): NearChunk[] {
  const isSparse = eligible.count < live * SPARSE_SHARE;
  const near = isSparse ? index.cosines(vector, eligible.ordinals()) : nearestRows(index, vector, eligible, count);
  return near.sort((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal).slice(0, count);
}

/** At least the `count` nearest: those at or above the lowest bin of a histogram that is still needed. */
function nearestRows(index: CompanyIndex, vector: Float32Array, eligible: Eligible, count: number): NearChunk[] {
  const products = index.scanAll(vector);
  const bins = new Uint32Array(BINS);
  forEachRow(index, eligible, (row) => {
    const bin = binOf(products[row] ?? 0);
    bins[bin] = (bins[bin] ?? 0) + 1;
  });
  let lowest = BINS - 1;
  for (let found = bins[lowest] ?? 0; found < count && lowest > 0; found += bins[lowest] ?? 0) lowest--;
  const near: NearChunk[] = [];
  forEachRow(index, eligible, (row, ordinal) => {
    const product = products[row] ?? 0;
    if (binOf(product) >= lowest) near.push({ ordinal, cosine: cosineFromSteps(product) });
  });
  return near;
}

function forEachRow(index: CompanyIndex, { blocks }: Eligible, visit: (row: number, ordinal: number) => void): void {
  for (const { block, live } of blocks) {
    const rows = index.rowsOf(block);
    if (!rows) continue;
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) {
      const row = rows[slot] ?? -1;
      if (row >= 0 && isLive(live, slot)) visit(row, ordinalOf(block, slot));
    }
  }
}

function binOf(product: number): number {
  return Math.max(0, Math.min(BINS - 1, Math.floor(BINS / 2 + product * BINS_PER_PRODUCT)));
}
