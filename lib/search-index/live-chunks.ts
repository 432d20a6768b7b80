import { and, eq, inArray, sql, sum } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { chunks, lexicalBlocks, versionChunks } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { blockOf, clearLive, isLive, setLive, slotOf } from "./postings.ts";

/** What a live chunk adds to the totals of its block. */
export interface ChunkSizes {
  ordinal: number;
  wordLength: number;
  gramLength: number;
  pieceCount: number;
  rawWordCount: number;
}

export interface SizedChunk extends ChunkSizes {
  /** Whether its postings are all written. */
  indexed: boolean;
}

/** Serialises changes to a company's blocks, chunks and version pointers. Released when the transaction ends. */
export async function lockSearchIndex(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${companyId}, 0))`);
}

/** The number of chunks that retrieval serves. */
export async function countLiveChunks(tx: Transaction, companyId: CompanyId): Promise<number> {
  const [row] = await tx
    .select({ live: sum(lexicalBlocks.liveCount).mapWith(Number) })
    .from(lexicalBlocks)
    .where(eq(lexicalBlocks.companyId, companyId));
  return row?.live ?? 0;
}

/**
 * The sizes of the chunks of these versions. Reads the chunks' ids first: PostgreSQL assumes one row for a company that it
 * has no statistics for, and would then compare all its chunks with all their places.
 */
export async function chunkSizesOf(tx: Transaction, companyId: CompanyId, versionIds: string[]): Promise<SizedChunk[]> {
  if (versionIds.length === 0) return [];
  const places = await tx
    .selectDistinct({ chunkId: versionChunks.chunkId })
    .from(versionChunks)
    .where(
      and(eq(versionChunks.companyId, companyId), sql`${versionChunks.versionId} = any(${uuidArray(versionIds)})`),
    );
  const { ordinal, indexed, wordLength, gramLength, pieceCount, rawWordCount } = chunks;
  return tx
    .select({ ordinal, indexed, wordLength, gramLength, pieceCount, rawWordCount })
    .from(chunks)
    .where(
      and(eq(chunks.companyId, companyId), sql`${chunks.id} = any(${uuidArray(places.map(({ chunkId }) => chunkId))})`),
    );
}

/**
 * Makes the entering chunks visible to retrieval and the leaving chunks invisible: updates the live bits of their slots
 * and the totals of their blocks. Idempotent.
 */
export async function changeLiveChunks(
  tx: Transaction,
  companyId: CompanyId,
  { entering, leaving }: { entering: ChunkSizes[]; leaving: ChunkSizes[] },
): Promise<void> {
  const touched = new Set([...entering, ...leaving].map(({ ordinal }) => blockOf(ordinal)));
  if (touched.size === 0) return;
  const rows = await tx
    .select()
    .from(lexicalBlocks)
    .where(and(eq(lexicalBlocks.companyId, companyId), inArray(lexicalBlocks.block, [...touched])));
  const blocks = new Map(rows.map((row) => [row.block, { ...row, live: Uint8Array.from(row.live) }]));

  function apply(chunk: ChunkSizes, sign: 1 | -1): void {
    const block = blocks.get(blockOf(chunk.ordinal));
    if (!block) throw new Error(`chunk ${chunk.ordinal} has no block`);
    const slot = slotOf(chunk.ordinal);
    if (isLive(block.live, slot) === (sign === 1)) return;
    if (sign === 1) setLive(block.live, slot);
    else clearLive(block.live, slot);
    block.liveCount += sign;
    block.wordTotal += sign * chunk.wordLength;
    block.gramTotal += sign * chunk.gramLength;
    block.pieceTotal += sign * chunk.pieceCount;
    block.rawWordTotal += sign * chunk.rawWordCount;
  }
  for (const chunk of leaving) apply(chunk, -1);
  for (const chunk of entering) apply(chunk, 1);

  for (const { companyId: _, block, language: __, used: ___, compacted: ____, ...values } of blocks.values()) {
    await tx
      .update(lexicalBlocks)
      .set(values)
      .where(and(eq(lexicalBlocks.companyId, companyId), eq(lexicalBlocks.block, block)));
  }
}
