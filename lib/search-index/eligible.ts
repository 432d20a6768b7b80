import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { LANGUAGES } from "../language/language.ts";
import type { LexicalBlock } from "./bm25.ts";
import type { EffectiveFilters } from "./passing-chunks.ts";
import { passingChunks, type Sums, sumsOf } from "./passing-chunks.ts";
import { blockOf, emptyLive, isLive, ordinalOf, SLOTS_PER_BLOCK, setLive, slotOf } from "./postings.ts";
import type { readBlocks } from "./read-index.ts";

type BlockRow = Awaited<ReturnType<typeof readBlocks>>[number];
type Passing = Awaited<ReturnType<typeof passingChunks>>[number];

/** A block as a search may see it: its bits and sums are those of the eligible chunks alone. */
export interface EligibleBlock extends LexicalBlock {
  pieceTotal: number;
  rawWordTotal: number;
}

/** The chunks that a search may return: live ones, narrowed by its filters. */
export interface Eligible {
  /** What scores are made with, so that nothing that may not be returned moves one. Blocks without such a chunk are left out. */
  readonly blocks: EligibleBlock[];
  readonly count: number;
  has(ordinal: number): boolean;
  ordinals(): number[];
}

/** @param rows all blocks of the company */
export async function eligibleChunks(
  tx: Transaction,
  { companyId, filters, rows }: { companyId: CompanyId; filters: EffectiveFilters; rows: BlockRow[] },
): Promise<Eligible> {
  const blocks = rows.map((row) => ({
    ...row,
    language: LANGUAGES.find((language) => language === row.language) ?? null,
  }));
  if (Object.keys(filters).length === 0) return eligibleOf(blocks);

  const passing = new Map((await passingChunks(tx, { companyId, filters })).map((each) => [each.block, each]));
  const dead = blocks.flatMap(({ block, live }) => {
    const slots = passing.get(block)?.slots ?? [];
    return slots.filter((slot) => !isLive(live, slot)).map((slot) => ordinalOf(block, slot));
  });
  const ofDead = new Map((await sumsOf(tx, { companyId, ordinals: dead })).map((sums) => [sums.block, sums]));
  return eligibleOf(
    blocks.flatMap((block) => {
      const own = passing.get(block.block);
      return own ? narrowed(block, own, ofDead.get(block.block)) : [];
    }),
  );
}

/** A block of which only these slots are seen, if they are live. @param ofDead what the sums hold of the others */
function narrowed(block: EligibleBlock, { slots, ...sums }: Passing, ofDead?: Sums): EligibleBlock {
  const kept = slots.filter((slot) => isLive(block.live, slot));
  const live = emptyLive();
  for (const slot of kept) setLive(live, slot);
  return {
    ...{ block: block.block, language: block.language, live, liveCount: kept.length },
    wordTotal: sums.wordTotal - (ofDead?.wordTotal ?? 0),
    gramTotal: sums.gramTotal - (ofDead?.gramTotal ?? 0),
    pieceTotal: sums.pieceTotal - (ofDead?.pieceTotal ?? 0),
    rawWordTotal: sums.rawWordTotal - (ofDead?.rawWordTotal ?? 0),
  };
}

export function eligibleOf(blocks: EligibleBlock[]): Eligible {
  const filled = blocks.filter(({ liveCount }) => liveCount > 0);
  const byBlock = new Map(filled.map(({ block, live }) => [block, live]));
  return {
    blocks: filled,
    count: filled.reduce((sum, { liveCount }) => sum + liveCount, 0),
    has(ordinal) {
      const bits = byBlock.get(blockOf(ordinal));
      return bits !== undefined && isLive(bits, slotOf(ordinal));
    },
    ordinals() {
      const found: number[] = [];
      for (const { block, live } of filled) {
        for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) if (isLive(live, slot)) found.push(ordinalOf(block, slot));
      }
      return found;
    },
  };
}
