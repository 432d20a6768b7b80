import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { STEPS } from "../ai/round-vector.ts";
import { batches } from "../db/batches.ts";
import type { Transaction } from "../db/client.ts";
import { insertRows } from "../db/insert-rows.ts";
import { chunks, embeddings, lexicalBlocks, versionChunks } from "../db/schema/index.ts";
import { sendBoth } from "../db/send.ts";
import { companyLiteral, intArray, intsLiteral, uuidArray, vectorLiteral } from "../db/sql.ts";
import { analyzeGrownCompany } from "../db/system/statistics.ts";
import { type CompanyId, runAtOnce, type TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { allocateSlots, appendPostingsStatement, languageCode } from "./lexical-index.ts";
import { lockSearchIndex } from "./live-chunks.ts";
import { moveChunks } from "./move-chunks.ts";
import { buildPostings, type PostingList, SLOTS_PER_BLOCK } from "./postings.ts";
import type { PreparedChunk } from "./prepared-chunk.ts";

/**
 * Rows per transaction. The embedded database serves nobody else during one; for a server, each message costs time. Texts
 * and posting lists take longest; 100 chunks have thousands of lists.
 */
const PER_TRANSACTION = {
  embedded: { chunks: 25, lists: 200, vectors: 16 },
  server: { chunks: 100, lists: 4_000, vectors: 128 },
};
/** Each move also writes a vector and some hundred postings. */
const MOVES_PER_TRANSACTION = 8;

/**
 * Lets the checks of foreign keys reuse their plans, which takes a quarter of the time of planning for each row. They must
 * use an index, because their tables may have been small when the plan was made.
 */
const CHECK_KEYS_BY_INDEX = sql`set local plan_cache_mode = auto; set local enable_seqscan = off`;

/** A chunk and the version that it belongs to. */
interface PlacedChunk extends PreparedChunk {
  versionId: string;
}

/**
 * Stores new chunks with their postings, and the positions of all given chunks in their versions, which protects them
 * from the purge. Chunks that a crash left partly indexed get new slots: postings are only appended, and those of a dead
 * slot are never read. Chunks that are stored in another language move to a block of their language.
 * @returns ordinals by chunk id, and the number of chunks that were added or moved
 */
export async function storeChunks(scope: TenantScope, given: PlacedChunk[], signal: AbortSignal) {
  const ordinals = new Map<string, number>();
  let count = 0;
  for (const batch of batches(given)) {
    signal.throwIfAborted();
    const added = new Map<string, PlacedChunk & { ordinal: number }>();
    const misplaced = new Map<string, PlacedChunk>();
    for (const some of batches(batch, perTransaction().chunks)) {
      await scope.transaction(async (tx) => {
        const [, known] = await sendBoth(
          () => lockSearchIndex(tx, scope.companyId),
          () => knownChunks(tx, scope.companyId, some),
        );
        const distinct = [...new Map(some.map((chunk) => [chunk.id, chunk])).values()];
        const missing = distinct.filter(({ id }) => !known.has(id) && !added.has(id));
        for (const [id, { ordinal }] of known) ordinals.set(id, ordinal);
        for (const chunk of distinct) if (isMisplaced(chunk, known.get(chunk.id))) misplaced.set(chunk.id, chunk);
        const slots = await allocateSlots(tx, scope.companyId, missing);
        await runAtOnce(tx, [
          CHECK_KEYS_BY_INDEX,
          ...(missing.length > 0 ? [chunksStatement(scope.companyId, missing, slots)] : []),
          placesStatement(scope.companyId, some),
        ]);
        for (const chunk of missing) added.set(chunk.id, { ...chunk, ordinal: required(slots.get(chunk.id)) });
      });
    }
    const stored = [...added.values()];
    await appendAll(scope, buildPostings(stored), signal);
    if (stored.length > 0) await markIndexed(scope, stored);
    for (const { id, ordinal } of stored) ordinals.set(id, ordinal);
    for (const some of batches([...misplaced.values()], MOVES_PER_TRANSACTION)) {
      signal.throwIfAborted();
      const moved = await scope.changeContent((tx) => moveChunks(tx, scope.companyId, some));
      for (const [id, ordinal] of moved) ordinals.set(id, ordinal);
    }
    count += added.size + misplaced.size;
  }
  return { ordinals, added: count };
}

/** The texts to embed, by ordinal. */
export function ordinalsWithText(given: PreparedChunk[], ordinals: Map<string, number>): Map<number, string> {
  return new Map(given.map(({ id, embeddingText }) => [required(ordinals.get(id)), embeddingText]));
}

/** Deletes positions after the last chunk, because an earlier attempt may have split the text into more chunks. */
export async function dropPlacesAfter(
  scope: TenantScope,
  versions: { versionId: string; chunkCount: number }[],
): Promise<void> {
  await scope.transaction((tx) =>
    tx.execute(sql`
      delete from ${versionChunks} using unnest(
        ${uuidArray(versions.map(({ versionId }) => versionId))}, ${intArray(versions.map(({ chunkCount }) => chunkCount))}
      ) as cut (version_id, chunks)
      where version_chunks.company_id = ${scope.companyId} and version_chunks.version_id = cut.version_id
        and version_chunks.position >= cut.chunks`),
  );
}

/** The given ordinals without a vector of the model. */
export async function ordinalsWithoutVector(
  tx: Transaction,
  companyId: CompanyId,
  { modelId, ordinals }: { modelId: number; ordinals: number[] },
): Promise<Set<number>> {
  const missing = new Set(ordinals);
  const rows = await tx
    .select({ ordinal: embeddings.ordinal })
    .from(embeddings)
    .where(
      and(
        eq(embeddings.companyId, companyId),
        eq(embeddings.modelId, modelId),
        sql`ordinal = any(${intArray(ordinals)})`,
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
  for (const batch of batches(vectors, perTransaction().vectors)) {
    const rows = batch.map(
      ({ ordinal, vector }) => sql`(${sql.raw(String(ordinal))}, ${vectorLiteral(vector, STEPS.chunk)})`,
    );
    await scope.write([
      sql`insert into ragstone.embeddings (company_id, model_id, ordinal, embedding)
        select ${companyLiteral(scope.companyId)}, ${sql.raw(String(modelId))}, ordinal, embedding
        from (values ${sql.join(rows, sql`, `)}) as added (ordinal, embedding)
        on conflict do nothing`,
    ]);
  }
}

interface KnownChunk {
  ordinal: number;
  /** The language of its block. */
  language: string;
}

/** The chunks of the batch whose postings are all written, by id. */
async function knownChunks(
  tx: Transaction,
  companyId: CompanyId,
  batch: PreparedChunk[],
): Promise<Map<string, KnownChunk>> {
  const block = sql`${lexicalBlocks.block} = ${chunks.ordinal} / ${SLOTS_PER_BLOCK}::int`;
  const rows = await tx
    .select({ id: chunks.id, ordinal: chunks.ordinal, language: lexicalBlocks.language })
    .from(chunks)
    .innerJoin(lexicalBlocks, and(eq(lexicalBlocks.companyId, companyId), block))
    .where(
      and(eq(chunks.companyId, companyId), chunks.indexed, sql`id = any(${uuidArray(batch.map(({ id }) => id))})`),
    );
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

/** The language is detected from the whole source, so it may change while the chunk stays the same. */
function isMisplaced(chunk: PreparedChunk, known: KnownChunk | undefined): boolean {
  return known !== undefined && known.language !== languageCode(chunk.language);
}

/** Replaces what an earlier attempt placed at the same positions. */
function placesStatement(companyId: CompanyId, batch: PlacedChunk[]): SQL {
  const places = batch.map(({ versionId, position, id, page }) => ({ versionId, position, chunkId: id, page }));
  return sql`${insertRows(versionChunks, companyId, places)}
    on conflict (company_id, version_id, position) do update set ${excluded([versionChunks.chunkId, versionChunks.page])}`;
}

/**
 * Marks the chunks as indexed, and lets the planner count the company if it has grown. Selects by ordinal, because another
 * worker may have given a chunk a new ordinal in the meantime.
 */
async function markIndexed({ companyId, write }: TenantScope, added: { ordinal: number }[]): Promise<void> {
  const company = companyLiteral(companyId);
  const [row] = await write<{ used: number }>([
    sql`update ragstone.chunks set indexed = true
      where company_id = ${company} and ordinal = any(${intsLiteral(added.map(({ ordinal }) => ordinal))})`,
    sql`select sum(used)::int as used from ragstone.lexical_blocks where company_id = ${company}`,
  ]);
  const after = required(row?.used);
  await analyzeGrownCompany(companyId, { before: after - added.length, after });
}

/**
 * The id is derived from the text; an earlier release may have computed the other columns. A chunk in a new slot is not
 * indexed there, even if another worker has just finished its former slot.
 */
function chunksStatement(companyId: CompanyId, missing: PreparedChunk[], slots: Map<string, number>): SQL {
  const rows = missing.map(({ id, sourceId, content, embeddingText, headings, analyzed, pieceCount, rawWordCount }) => {
    const { wordLength, gramLength } = analyzed;
    const counts = { wordLength, gramLength, pieceCount, rawWordCount };
    return { id, sourceId, ordinal: required(slots.get(id)), content, embeddingText, headings, ...counts };
  });
  const { ordinal, indexed, wordLength, gramLength, pieceCount, rawWordCount } = chunks;
  const replaced = [ordinal, indexed, wordLength, gramLength, pieceCount, rawWordCount];
  return sql`${insertRows(chunks, companyId, rows)} on conflict (company_id, id) do update set ${excluded(replaced)}`;
}

/** Sets columns to the values that could not be inserted. */
function excluded(columns: AnyPgColumn[]): SQL {
  return sql.raw(columns.map(({ name }) => `${name} = excluded.${name}`).join(", "));
}

async function appendAll(scope: TenantScope, lists: PostingList[], signal: AbortSignal): Promise<void> {
  // always in the same order, so that two workers cannot deadlock
  const sorted = lists.toSorted((a, b) => a.term - b.term || a.block - b.block);
  for (const batch of batches(sorted, perTransaction().lists)) {
    signal.throwIfAborted();
    await scope.write([appendPostingsStatement(scope.companyId, batch)]);
  }
}

function perTransaction() {
  return PER_TRANSACTION[env().databaseUrl ? "server" : "embedded"];
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a chunk has no slot");
  return value;
}
