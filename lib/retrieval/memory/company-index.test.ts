import { expect, it } from "vitest";
import { STEPS } from "../../ai/round-vector.ts";
import type { ServedState } from "../../db/served-content.ts";
import { setLive } from "../../search-index/postings.ts";
import { createArena } from "./arena.ts";
import { type BlockRow, CompanyIndex, type LoadedChunk } from "./company-index.ts";

const DIMENSIONS = 384;
const CONTENT: ServedState = {
  stamp: "one",
  generation: "first",
  model: { id: 1, name: "bundled", dimensions: DIMENSIONS },
};

/** A block in which these slots are live. */
function blockOf(ordinals: number[]): BlockRow {
  const live = new Uint8Array(512);
  for (const ordinal of ordinals) setLive(live, ordinal);
  const totals = { wordTotal: 1, gramTotal: 1, pieceTotal: 1, rawWordTotal: 1 };
  const counts = { used: ordinals.length, compacted: 0, liveCount: ordinals.length };
  return { companyId: "", block: 0, language: "en", live, ...counts, ...totals };
}

/** Chunks whose vectors are one unit vector each. */
function chunksOf(ordinals: number[]): LoadedChunk[] {
  return ordinals.map((ordinal) => {
    const vector = new Int16Array(DIMENSIONS);
    vector[ordinal % DIMENSIONS] = STEPS.chunk;
    return { ordinal, vector, text: ordinal, clues: { stem: "", year: 0, saysOutdated: false } };
  });
}

it("finds every vector after it was released and loaded again with more chunks", () => {
  const index = new CompanyIndex(createArena());
  const load = (count: number) => {
    const ordinals = Array.from({ length: count }, (_, ordinal) => ordinal);
    index.apply(CONTENT, [blockOf(ordinals)], chunksOf(ordinals));
    return ordinals;
  };
  load(1_000);
  index.release();
  const ordinals = load(1_500);
  const unit = (at: number) => Float32Array.from({ length: DIMENSIONS }, (_, place) => (place === at ? 1 : 0));
  const found = ordinals.map((ordinal) => index.cosines(unit(ordinal % DIMENSIONS), [ordinal])[0]?.cosine ?? 0);
  expect(found.every((cosine) => cosine > 0.99)).toBe(true);
});
