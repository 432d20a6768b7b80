import { blockOf, isLive, ordinalOf, SLOTS_PER_BLOCK, setLive, slotOf } from "./postings.ts";

/** The chunks that a search may return: live ones, narrowed by its filters. */
export interface Eligible {
  readonly count: number;
  has(ordinal: number): boolean;
  ordinals(): number[];
}

interface Bitmap {
  block: number;
  live: Uint8Array;
}

/** Every live chunk of the company. */
export function allLive(blocks: (Bitmap & { liveCount: number })[]): Eligible {
  return eligible(
    blocks,
    blocks.reduce((sum, { liveCount }) => sum + liveCount, 0),
  );
}

/** The live ones among those that pass the filters. */
export function liveAmong(blocks: Bitmap[], passing: Iterable<number>): Eligible {
  const live = new Map(blocks.map((block) => [block.block, block.live]));
  const kept = new Map(blocks.map(({ block }) => [block, new Uint8Array(SLOTS_PER_BLOCK / 8)]));
  let count = 0;
  for (const ordinal of passing) {
    const [bits, target] = [live.get(blockOf(ordinal)), kept.get(blockOf(ordinal))];
    if (!bits || !target || !isLive(bits, slotOf(ordinal))) continue;
    setLive(target, slotOf(ordinal));
    count++;
  }
  return eligible(
    [...kept].map(([block, bits]) => ({ block, live: bits })),
    count,
  );
}

function eligible(bitmaps: Bitmap[], count: number): Eligible {
  const byBlock = new Map(bitmaps.map(({ block, live }) => [block, live]));
  return {
    count,
    has(ordinal) {
      const bits = byBlock.get(blockOf(ordinal));
      return bits !== undefined && isLive(bits, slotOf(ordinal));
    },
    ordinals() {
      const found: number[] = [];
      for (const { block, live } of bitmaps) {
        for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) if (isLive(live, slot)) found.push(ordinalOf(block, slot));
      }
      return found;
    },
  };
}
