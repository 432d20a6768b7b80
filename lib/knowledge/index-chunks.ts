import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { Language } from "../ai/language.ts";
import type { Transaction } from "../db/client.ts";
import { chunks, embeddings, lexicalBlocks, versionChunks } from "../db/schema/index.ts";
import { hexOf, intArray, textArray, uuidArray, vectorLiteral } from "../db/sql.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { buildPostings, emptyLive, ordinalOf, type PostingList, SLOTS_PER_BLOCK } from "../retrieval/postings.ts";
import { lockCompany } from "./live.ts";
import type { PreparedChunk } from "./prepare.ts";

/** The embedded database runs one statement at a time: a short transaction keeps retrieval quick. */
export const ROWS_PER_TRANSACTION = 200;
/** Each is also woven into the graph of the vector index, which takes some milliseconds. */
const VECTORS_PER_TRANSACTION = 16;

/** The name of a language in the index; `und` is ISO 639's for "undetermined". */
export const UNDETERMINED = "und";

/** Notes which chunks versions consist of; from here on nothing may purge them. */
export async function writePlaces(
  scope: TenantScope,
  versions: { versionId: string; chunks: Pick<PreparedChunk, "id" | "position" | "page">[] }[],
): Promise<void> {
  const { companyId } = scope;
  const ids = uuidArray(versions.map(({ versionId }) => versionId));
  // an earlier try may have cut the text otherwise
  await scope.transaction((tx) =>
    tx
      .delete(versionChunks)
      .where(and(eq(versionChunks.companyId, companyId), sql`${versionChunks.versionId} = any(${ids})`)),
  );
  const places = versions.flatMap(({ versionId, chunks: cut }) =>
    cut.map(({ id, position, page }) => ({ companyId, versionId, position, chunkId: id, page })),
  );
  for (const batch of batches(places)) {
    await scope.transaction(async (tx) => {
      await tx.insert(versionChunks).values(batch).onConflictDoNothing();
    });
  }
}

/**
 * Stores chunks that are not there yet with their postings. Those that a crash left half indexed get new slots:
 * postings are only ever appended, and a dead slot's are never read.
 * @returns by chunk id, the ordinal
 */
export async function indexChunks(scope: TenantScope, given: PreparedChunk[], signal: AbortSignal) {
  const ordinals = new Map<string, number>();
  for (const batch of batches(given)) {
    signal.throwIfAborted();
    const added = await scope.transaction(async (tx) => {
      await lockCompany(tx, scope.companyId);
      const known = await knownChunks(tx, scope.companyId, batch);
      for (const [id, ordinal] of known) ordinals.set(id, ordinal);
      const missing = batch.filter(({ id }) => !known.has(id));
      const slots = await allocateSlots(tx, scope.companyId, missing);
      await insertChunks(tx, scope.companyId, missing, slots);
      return missing.map((chunk) => ({ ordinal: required(slots.get(chunk.id)), ...chunk }));
    });
    await appendPostings(scope, buildPostings(added), signal);
    await scope.transaction((tx) =>
      tx
        .update(chunks)
        .set({ indexed: true })
        .where(and(eq(chunks.companyId, scope.companyId), sql`id = any(${uuidArray(added.map(({ id }) => id))})`)),
    );
    for (const { id, ordinal } of added) ordinals.set(id, ordinal);
  }
  return ordinals;
}

/** The ordinals among these that have no vector of the model. */
export async function withoutVector(scope: TenantScope, modelId: number, ordinals: number[]): Promise<Set<number>> {
  const missing = new Set(ordinals);
  const rows = await scope.transaction((tx) =>
    tx
      .select({ ordinal: embeddings.ordinal })
      .from(embeddings)
      .where(
        and(
          eq(embeddings.companyId, scope.companyId),
          eq(embeddings.modelId, modelId),
          sql`ordinal = any(${intArray(ordinals)})`,
        ),
      ),
  );
  for (const { ordinal } of rows) missing.delete(ordinal);
  return missing;
}

export async function writeVectors(
  scope: TenantScope,
  modelId: number,
  vectors: { ordinal: number; vector: Float32Array }[],
): Promise<void> {
  for (const batch of batches(vectors, VECTORS_PER_TRANSACTION)) {
    await scope.transaction(async (tx) => {
      await tx
        .insert(embeddings)
        .values(
          batch.map(({ ordinal, vector }) => ({
            companyId: scope.companyId,
            modelId,
            ordinal,
            embedding: vectorLiteral(vector),
          })),
        )
        .onConflictDoNothing();
    });
  }
}

async function knownChunks(
  tx: Transaction,
  companyId: CompanyId,
  batch: PreparedChunk[],
): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: chunks.id, ordinal: chunks.ordinal, indexed: chunks.indexed })
    .from(chunks)
    .where(and(eq(chunks.companyId, companyId), sql`id = any(${uuidArray(batch.map(({ id }) => id))})`));
  const half = rows.filter(({ indexed }) => !indexed).map(({ id }) => id);
  if (half.length > 0) await tx.delete(chunks).where(and(eq(chunks.companyId, companyId), inArray(chunks.id, half)));
  return new Map(rows.filter(({ indexed }) => indexed).map(({ id, ordinal }) => [id, ordinal]));
}

/** Gives each chunk the next slot of a block of its language. The company must be locked. */
async function allocateSlots(
  tx: Transaction,
  companyId: CompanyId,
  missing: PreparedChunk[],
): Promise<Map<string, number>> {
  const slots = new Map<string, number>();
  for (const [language, group] of Map.groupBy(missing, (chunk) => languageName(chunk.language))) {
    let waiting = group;
    while (waiting.length > 0) {
      const { block, used } = await openBlock(tx, companyId, language);
      const fitting = waiting.slice(0, SLOTS_PER_BLOCK - used);
      for (const [index, { id }] of fitting.entries()) slots.set(id, ordinalOf(block, used + index));
      await tx
        .update(lexicalBlocks)
        .set({ used: used + fitting.length })
        .where(and(eq(lexicalBlocks.companyId, companyId), eq(lexicalBlocks.block, block)));
      waiting = waiting.slice(fitting.length);
    }
  }
  return slots;
}

async function openBlock(tx: Transaction, companyId: CompanyId, language: string) {
  const { block, used } = lexicalBlocks;
  const [open] = await tx
    .select({ block, used })
    .from(lexicalBlocks)
    .where(and(eq(lexicalBlocks.companyId, companyId), eq(lexicalBlocks.language, language), lt(used, SLOTS_PER_BLOCK)))
    .orderBy(desc(block))
    .limit(1);
  if (open) return open;
  const [last] = await tx
    .select({ block })
    .from(lexicalBlocks)
    .where(eq(lexicalBlocks.companyId, companyId))
    .orderBy(desc(block))
    .limit(1);
  const next = (last?.block ?? -1) + 1;
  await tx.insert(lexicalBlocks).values({ companyId, block: next, language, live: emptyLive() });
  return { block: next, used: 0 };
}

async function insertChunks(
  tx: Transaction,
  companyId: CompanyId,
  missing: PreparedChunk[],
  slots: Map<string, number>,
) {
  if (missing.length === 0) return;
  await tx.insert(chunks).values(
    missing.map((chunk) => ({
      companyId,
      id: chunk.id,
      sourceId: chunk.sourceId,
      ordinal: required(slots.get(chunk.id)),
      content: chunk.content,
      embeddingText: chunk.embeddingText,
      headings: chunk.headings,
      wordLength: chunk.analyzed.wordLength,
      gramLength: chunk.analyzed.gramLength,
      pieceCount: chunk.pieceCount,
      rawWordCount: chunk.rawWordCount,
    })),
  );
}

async function appendPostings(scope: TenantScope, lists: PostingList[], signal: AbortSignal): Promise<void> {
  // in one order, so that two workers cannot wait for each other
  const sorted = lists.toSorted((a, b) => a.term - b.term || a.block - b.block);
  for (const batch of batches(sorted)) {
    signal.throwIfAborted();
    await scope.transaction((tx) =>
      tx.execute(sql`
        insert into ragstone.lexical_postings as stored (company_id, term, block, postings)
        select ${scope.companyId}::uuid, term, block, decode(postings, 'hex')
        from unnest(${intArray(batch.map(({ term }) => term))}, ${intArray(batch.map(({ block }) => block))},
          ${textArray(batch.map(({ postings }) => hexOf(postings)))}) as added (term, block, postings)
        on conflict (company_id, term, block) do update set postings = stored.postings || excluded.postings`),
    );
  }
}

export function languageName(language: Language | null): string {
  return language ?? UNDETERMINED;
}

export function* batches<Item>(items: Item[], size = ROWS_PER_TRANSACTION): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a chunk has no slot");
  return value;
}
