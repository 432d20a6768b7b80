import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { chunks, lexicalBlocks } from "../db/schema/index.ts";
import { intArray, uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { allocateSlots, appendPostingsStatement } from "./lexical-index.ts";
import { type ChunkSizes, changeLiveChunks, lockSearchIndex } from "./live-chunks.ts";
import { blockOf, buildPostings, isLive, slotOf } from "./postings.ts";
import type { PreparedChunk } from "./prepared-chunk.ts";

/** A chunk with its new ordinal, analysed in its new language. */
type Moved = PreparedChunk & { ordinal: number; from: ChunkSizes };

/**
 * Moves chunks to blocks of their language. Ids, texts and vectors stay; postings and ordinals are new. Live chunks stay
 * live, so retrieval always sees each of them exactly once.
 * @returns new ordinals by chunk id
 */
export async function moveChunks(
  tx: Transaction,
  companyId: CompanyId,
  given: PreparedChunk[],
): Promise<Map<string, number>> {
  await lockSearchIndex(tx, companyId);
  const before = await sizesOf(tx, companyId, given);
  const slots = await allocateSlots(tx, companyId, given);
  const moved = given.flatMap((chunk): Moved[] => {
    const [from, ordinal] = [before.get(chunk.id), slots.get(chunk.id)];
    return from && ordinal !== undefined ? [{ ...chunk, from, ordinal }] : [];
  });
  const postings = buildPostings(moved).toSorted((a, b) => a.term - b.term || a.block - b.block);
  await tx.execute(appendPostingsStatement(companyId, postings));
  const leaving = moved.map(({ from }) => from);
  const live = await liveOrdinals(tx, companyId, leaving);
  await writeOrdinals(tx, companyId, moved);
  const entering = moved.filter(({ from }) => live.has(from.ordinal)).map(sizesAtNewPlace);
  await changeLiveChunks(tx, companyId, { entering, leaving });
  return new Map(moved.map(({ id, ordinal }) => [id, ordinal]));
}

async function sizesOf(
  tx: Transaction,
  companyId: CompanyId,
  given: PreparedChunk[],
): Promise<Map<string, ChunkSizes>> {
  const { id, ordinal, wordLength, gramLength, pieceCount, rawWordCount } = chunks;
  const rows = await tx
    .select({ id, ordinal, wordLength, gramLength, pieceCount, rawWordCount })
    .from(chunks)
    .where(and(eq(chunks.companyId, companyId), sql`id = any(${uuidArray(given.map((chunk) => chunk.id))})`));
  return new Map(rows.map(({ id: chunk, ...sizes }) => [chunk, sizes]));
}

function sizesAtNewPlace({ ordinal, analyzed, pieceCount, rawWordCount }: Moved): ChunkSizes {
  return { ordinal, wordLength: analyzed.wordLength, gramLength: analyzed.gramLength, pieceCount, rawWordCount };
}

async function liveOrdinals(tx: Transaction, companyId: CompanyId, places: ChunkSizes[]): Promise<Set<number>> {
  const blocks = [...new Set(places.map(({ ordinal }) => blockOf(ordinal)))];
  const rows = await tx
    .select({ block: lexicalBlocks.block, live: lexicalBlocks.live })
    .from(lexicalBlocks)
    .where(and(eq(lexicalBlocks.companyId, companyId), inArray(lexicalBlocks.block, blocks)));
  const bits = new Map(rows.map(({ block, live }) => [block, live]));
  const ordinals = places.map(({ ordinal }) => ordinal);
  return new Set(
    ordinals.filter((ordinal) => {
      const live = bits.get(blockOf(ordinal));
      return live !== undefined && isLive(live, slotOf(ordinal));
    }),
  );
}

async function writeOrdinals(tx: Transaction, companyId: CompanyId, moved: Moved[]): Promise<void> {
  const sizes = moved.map(sizesAtNewPlace);
  const [from, to] = [moved.map((chunk) => chunk.from.ordinal), sizes.map(({ ordinal }) => ordinal)];
  await tx.execute(sql`
    update ragstone.chunks set ordinal = moved.ordinal, word_length = moved.words, gram_length = moved.grams,
      piece_count = moved.pieces, raw_word_count = moved.raw_words
    from unnest(${uuidArray(moved.map(({ id }) => id))}, ${intArray(to)},
      ${intArray(sizes.map(({ wordLength }) => wordLength))}, ${intArray(sizes.map(({ gramLength }) => gramLength))},
      ${intArray(sizes.map(({ pieceCount }) => pieceCount))}, ${intArray(sizes.map(({ rawWordCount }) => rawWordCount))}
    ) as moved (id, ordinal, words, grams, pieces, raw_words)
    where chunks.company_id = ${companyId} and chunks.id = moved.id`);
  await tx.execute(sql`
    update ragstone.embeddings set ordinal = moved.to_ordinal
    from unnest(${intArray(from)}, ${intArray(to)}) as moved (from_ordinal, to_ordinal)
    where embeddings.company_id = ${companyId} and embeddings.ordinal = moved.from_ordinal`);
}
