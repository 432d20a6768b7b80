import type { Transaction } from "../db/client.ts";
import type { CompanyId } from "../db/tenant.ts";
import { LANGUAGES } from "../language/language.ts";
import type { LexicalBlock } from "./bm25.ts";
import { type BlockTotals, passingChunks, readBlockTotals } from "./passing-chunks.ts";
import { blockOf, emptyLive, isLive, ordinalOf, SLOTS_PER_BLOCK, setLive, slotOf } from "./postings.ts";
import type { readBlocks } from "./read-index.ts";
import type { EffectiveFilters } from "./source-filters.ts";

type BlockRow = Awaited<ReturnType<typeof readBlocks>>[number];
type PassingSlots = Awaited<ReturnType<typeof passingChunks>>[number];

/** A block reduced to the eligible chunks: its live bits and totals count only these. */
export interface EligibleBlock extends LexicalBlock {
  pieceTotal: number;
  rawWordTotal: number;
}

/** The chunks that a search may return: live chunks that pass its filters. */
export interface Eligible {
  /** Scores use only these blocks, so that chunks outside the filters cannot change a score. Empty blocks are left out. */
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
  if (Object.keys(filters).length === 0) return eligibleOfAll(rows);
  const blocks = rows.map(withLanguage);

  const passing = new Map((await passingChunks(tx, { companyId, filters })).map((each) => [each.block, each]));
  const dead = blocks.flatMap(({ block, live }) => {
    const slots = passing.get(block)?.slots ?? [];
    return slots.filter((slot) => !isLive(live, slot)).map((slot) => ordinalOf(block, slot));
  });
  const totals = await readBlockTotals(tx, { companyId, ordinals: dead });
  const deadTotals = new Map(totals.map((each) => [each.block, each]));
  return eligibleOf(
    blocks.flatMap((block) => {
      const own = passing.get(block.block);
      return own ? restrictBlock(block, own, deadTotals.get(block.block)) : [];
    }),
  );
}

/** All live chunks. */
export function eligibleOfAll(rows: BlockRow[]): Eligible {
  return eligibleOf(rows.map(withLanguage));
}

function withLanguage(row: BlockRow) {
  return { ...row, language: LANGUAGES.find((language) => language === row.language) ?? null };
}

/**
 * Reduces a block to the live ones among the passing slots.
 * @param deadTotals totals of the passing chunks that are not live
 */
function restrictBlock(
  block: EligibleBlock,
  { slots, ...totals }: PassingSlots,
  deadTotals?: BlockTotals,
): EligibleBlock {
  const kept = slots.filter((slot) => isLive(block.live, slot));
  const live = emptyLive();
  for (const slot of kept) setLive(live, slot);
  return {
    ...{ block: block.block, language: block.language, live, liveCount: kept.length },
    wordTotal: totals.wordTotal - (deadTotals?.wordTotal ?? 0),
    gramTotal: totals.gramTotal - (deadTotals?.gramTotal ?? 0),
    pieceTotal: totals.pieceTotal - (deadTotals?.pieceTotal ?? 0),
    rawWordTotal: totals.rawWordTotal - (deadTotals?.rawWordTotal ?? 0),
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
