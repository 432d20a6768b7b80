import { randomUUID } from "node:crypto";
import type { ReservedSql } from "postgres";
import type { connection } from "../../lib/db/client.ts";
import type { CompanyId } from "../../lib/db/tenant.ts";
import { chunkId, contentHash } from "../../lib/knowledge/content-hash.ts";
import { languageCode } from "../../lib/search-index/lexical-index.ts";
import { buildPostings, emptyLive, ordinalOf, SLOTS_PER_BLOCK, setLive } from "../../lib/search-index/postings.ts";
import { copyRows } from "./copy.ts";
import { LANGUAGE, type MadeChunk, type MadeSource, madeSources } from "./texts.ts";

interface Load {
  companyId: CompanyId;
  modelId: number;
  dimensions: number;
  chunks: number;
  inGraph: boolean;
}

type PlacedChunk = MadeChunk & { id: string; sourceId: string; versionId: string; position: number; ordinal: number };

/** A source with the ids of its rows. */
type StoredSource = MadeSource & { id: string; versionId: string; placed: PlacedChunk[] };

/**
 * Fills an empty company as ingestion would, block by block, by COPY. The sizes of chunks, the postings and the vectors
 * are those that ingestion computes for the same texts, apart from the model.
 */
export async function loadCompany(sql: ReturnType<typeof connection>["sql"], load: Load): Promise<void> {
  const reserved = await sql.reserve();
  try {
    let block = 0;
    for await (const sources of blocksOf(
      madeSources(load.chunks, { dimensions: load.dimensions, seed: load.chunks }),
    )) {
      await reserved`begin`;
      await storeBlock(reserved, load, sources, block++);
      await reserved`commit`;
      if (block % 10 === 0) console.error(`${block * SLOTS_PER_BLOCK} of ${load.chunks} chunks`);
    }
    await reserved`update ragstone.companies set embedding_model_id = ${load.modelId}, content_stamp = gen_random_uuid()
      where id = ${load.companyId}`;
  } finally {
    reserved.release();
  }
}

/** As many sources as fit into a block. */
async function* blocksOf(sources: AsyncIterable<MadeSource>): AsyncGenerator<MadeSource[]> {
  let block: MadeSource[] = [];
  let used = 0;
  for await (const source of sources) {
    if (used + source.chunks.length > SLOTS_PER_BLOCK) {
      yield block;
      block = [];
      used = 0;
    }
    block.push(source);
    used += source.chunks.length;
  }
  yield block;
}

async function storeBlock(sql: ReservedSql, load: Load, sources: MadeSource[], block: number): Promise<void> {
  let ordinal = ordinalOf(block, 0);
  const stored = sources.map((source): StoredSource => {
    const [id, versionId] = [randomUUID(), randomUUID()];
    const placed = source.chunks.map((chunk, position) => {
      const rowId = chunkId(id, { ...chunk, headings: [] }, position);
      return { ...chunk, id: rowId, sourceId: id, versionId, position, ordinal: ordinal++ };
    });
    return { ...source, id, versionId, placed };
  });
  const chunks = stored.flatMap(({ placed }) => placed);
  await storeSources(sql, load, stored);
  await storeChunks(sql, load, chunks);
  await storeIndex(sql, load, chunks, block);
}

async function storeSources(sql: ReservedSql, { companyId }: Load, sources: StoredSource[]): Promise<void> {
  await copyRows(
    sql,
    "sources",
    ["company_id", "id", "source_id", "current_version_id", "latest_version_id"],
    sources.map(({ id, title, versionId }) => [companyId, id, title, versionId, versionId]),
  );
  const now = new Date().toISOString();
  await copyRows(
    sql,
    "source_versions",
    [
      ...["company_id", "id", "source_id", "number", "state", "source_type", "title", "audience", "body"],
      ...["content_hash", "chunk_count", "ready_at"],
    ],
    sources.map(({ id, versionId, title, audience, chunks }) => {
      const body = { kind: "text" as const, content: chunks.map(({ content }) => content).join("\n\n") };
      const labels = { audience: [audience], contentCategory: "general", path: [], metadata: {} };
      const hash = contentHash({ sourceType: "document", title, ...labels, body });
      return [
        ...[companyId, versionId, id, 1, "current", "document", title, [audience], JSON.stringify(body)],
        ...[hash, chunks.length, now],
      ];
    }),
  );
}

async function storeChunks(sql: ReservedSql, load: Load, chunks: PlacedChunk[]): Promise<void> {
  const { companyId, modelId, inGraph } = load;
  await copyRows(
    sql,
    "chunks",
    [
      ...["company_id", "id", "source_id", "ordinal", "content", "embedding_text", "word_length", "gram_length"],
      ...["piece_count", "raw_word_count", "indexed"],
    ],
    chunks.map(({ id, sourceId, ordinal, content, embeddingText, analyzed, pieceCount, rawWordCount }) => [
      ...[companyId, id, sourceId, ordinal, content, embeddingText, analyzed.wordLength, analyzed.gramLength],
      ...[pieceCount, rawWordCount, true],
    ]),
  );
  await copyRows(
    sql,
    "version_chunks",
    ["company_id", "version_id", "position", "chunk_id"],
    chunks.map(({ id, versionId, position }) => [companyId, versionId, position, id]),
  );
  await copyRows(
    sql,
    "embeddings",
    ["company_id", "model_id", "ordinal", "embedding", "in_graph"],
    rowsOf(chunks, ({ ordinal, vector }) => [companyId, modelId, ordinal, `[${vector.join(",")}]`, inGraph]),
  );
}

async function storeIndex(sql: ReservedSql, { companyId }: Load, chunks: PlacedChunk[], block: number): Promise<void> {
  await copyRows(
    sql,
    "lexical_postings",
    ["company_id", "term", "block", "postings"],
    rowsOf(buildPostings(chunks), ({ term, postings }) => [companyId, term, block, postings]),
  );
  const live = emptyLive();
  for (let slot = 0; slot < chunks.length; slot++) setLive(live, slot);
  const total = (sizeOf: (chunk: PlacedChunk) => number) => chunks.reduce((sum, chunk) => sum + sizeOf(chunk), 0);
  await copyRows(
    sql,
    "lexical_blocks",
    [
      ...["company_id", "block", "language", "used", "live", "live_count"],
      ...["word_total", "gram_total", "piece_total", "raw_word_total"],
    ],
    [
      [
        ...[companyId, block, languageCode(LANGUAGE), chunks.length, live, chunks.length],
        ...[total(({ analyzed }) => analyzed.wordLength), total(({ analyzed }) => analyzed.gramLength)],
        ...[total(({ pieceCount }) => pieceCount), total(({ rawWordCount }) => rawWordCount)],
      ],
    ],
  );
}

/** One row at a time, because the rows of a block as texts take tens of megabytes. */
function* rowsOf<Item, Row>(items: Item[], toRow: (item: Item) => Row): Generator<Row> {
  for (const item of items) yield toRow(item);
}
