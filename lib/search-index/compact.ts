import { and, asc, eq, sql } from "drizzle-orm";
import { ROWS_PER_TRANSACTION } from "../db/batches.ts";
import type { Transaction } from "../db/client.ts";
import { chunks, lexicalBlocks } from "../db/schema/index.ts";
import { hexOf, intArray, textArray } from "../db/sql.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { lockSearchIndex } from "./live-chunks.ts";
import { onlySlots, ordinalOf, type PostingList, SLOTS_PER_BLOCK, slotOf } from "./postings.ts";

/** Number of purged chunks from which rewriting the lists of a block pays off. */
export const DEAD_SLOTS_MIN = SLOTS_PER_BLOCK / 8;

interface CompactOptions {
  signal: AbortSignal;
  /** Number of purged chunks from which a block is rewritten. */
  deadSlotsMin: number;
}

interface WastefulBlock {
  /** Slots in use when the block was read. Later slots are kept. */
  used: number;
  held: Set<number>;
}

/**
 * Removes the postings of purged chunks, which every query would load for nothing, and deletes blocks without chunks.
 * Safe to run during ingestion and retrieval, and safe to repeat after an interruption.
 */
export async function compact(scope: TenantScope, { signal, deadSlotsMin }: CompactOptions): Promise<void> {
  const blocks = await wastefulBlocks(scope, deadSlotsMin);
  if (blocks.size === 0) return;
  let last: Pick<PostingList, "term" | "block"> | null = null;
  do {
    signal.throwIfAborted();
    last = await scope.transaction((tx) => rewritePage(tx, scope.companyId, blocks, last));
  } while (last);
  await scope.transaction(async (tx) => {
    for (const [block, { used, held }] of blocks) {
      await tx
        .update(lexicalBlocks)
        .set({ compacted: used - held.size })
        .where(and(eq(lexicalBlocks.companyId, scope.companyId), eq(lexicalBlocks.block, block)));
    }
  });
  for (const [block, { used, held }] of blocks) {
    if (held.size === 0) await scope.transaction((tx) => deleteEmpty(tx, scope.companyId, block, used));
  }
}

/** Reads one snapshot, so that a slot in use is never mistaken for a dead one. */
async function wastefulBlocks(
  { companyId, snapshot }: TenantScope,
  deadSlotsMin: number,
): Promise<Map<number, WastefulBlock>> {
  return snapshot(async (tx) => {
    const wasteful = new Map<number, WastefulBlock>();
    const { block, used, compacted } = lexicalBlocks;
    const rows = await tx
      .select({ block, used, compacted })
      .from(lexicalBlocks)
      .where(eq(lexicalBlocks.companyId, companyId))
      .orderBy(asc(block));
    for (const row of rows) {
      const [from, to] = [ordinalOf(row.block, 0), ordinalOf(row.block + 1, 0)];
      const inBlock = and(
        eq(chunks.companyId, companyId),
        sql`${chunks.ordinal} >= ${from}::int and ${chunks.ordinal} < ${to}::int`,
      );
      const count = await tx.$count(chunks, inBlock);
      const canGo = count === 0 && row !== rows.at(-1);
      if (!canGo && row.used - row.compacted - count < deadSlotsMin) continue;
      const held = await tx.select({ ordinal: chunks.ordinal }).from(chunks).where(inBlock);
      wasteful.set(row.block, { used: row.used, held: new Set(held.map(({ ordinal }) => slotOf(ordinal))) });
    }
    return wasteful;
  });
}

/** @returns the last list of the page; null when the page was empty */
async function rewritePage(
  tx: Transaction,
  companyId: CompanyId,
  blocks: Map<number, WastefulBlock>,
  after: Pick<PostingList, "term" | "block"> | null,
) {
  const page = await readPage(tx, companyId, [...blocks.keys()], after);
  const rewritten = page.flatMap((list) => {
    const block = blocks.get(list.block);
    if (!block) return [];
    const postings = onlySlots(list.postings, (slot) => slot >= block.used || block.held.has(slot));
    return postings.length < list.postings.length ? [{ ...list, postings }] : [];
  });
  if (rewritten.length > 0) await writeLists(tx, companyId, rewritten);
  return page.at(-1) ?? null;
}

/** The next page of lists of these blocks, in index order and locked until the transaction ends. */
async function readPage(
  tx: Transaction,
  companyId: CompanyId,
  blocks: number[],
  after: Pick<PostingList, "term" | "block"> | null,
) {
  const rows = await tx.execute<{ term: number; block: number; postings: string }>(sql`
    select term, block, encode(postings, 'base64') as postings from ragstone.lexical_postings
    where company_id = ${companyId} and block = any(${intArray(blocks)})
      and ${after ? sql`(term, block) > (${after.term}::int, ${after.block}::int)` : sql`true`}
    order by term, block limit ${ROWS_PER_TRANSACTION} for update`);
  return rows.map(({ postings, ...list }) => ({ ...list, postings: Buffer.from(postings, "base64") }));
}

async function writeLists(tx: Transaction, companyId: CompanyId, lists: PostingList[]): Promise<void> {
  await tx.execute(sql`
    with given as (
      select term, block, decode(postings, 'hex') as postings
      from unnest(${intArray(lists.map(({ term }) => term))}, ${intArray(lists.map(({ block }) => block))},
        ${textArray(lists.map(({ postings }) => hexOf(postings)))}) as given (term, block, postings)
    ), emptied as (
      delete from ragstone.lexical_postings as stored using given
      where stored.company_id = ${companyId} and stored.term = given.term and stored.block = given.block
        and length(given.postings) = 0
    )
    update ragstone.lexical_postings as stored set postings = given.postings from given
    where stored.company_id = ${companyId} and stored.term = given.term and stored.block = given.block
      and length(given.postings) > 0`);
}

/** Deletes an empty block. The highest one stays: new blocks are numbered after it, so no ordinal is ever reused. */
async function deleteEmpty(tx: Transaction, companyId: CompanyId, block: number, used: number): Promise<void> {
  // slots are allocated under the same lock
  await lockSearchIndex(tx, companyId);
  await tx.execute(sql`
    delete from ragstone.lexical_blocks where company_id = ${companyId} and block = ${block} and used = ${used}
      and block < (select max(block) from ragstone.lexical_blocks where company_id = ${companyId})
      and not exists (
        select from ragstone.chunks where company_id = ${companyId}
          and ordinal >= ${ordinalOf(block, 0)}::int and ordinal < ${ordinalOf(block + 1, 0)}::int)`);
}
