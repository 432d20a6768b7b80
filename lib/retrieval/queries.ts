import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { vectorType } from "../db/schema/embeddings.ts";
import type { chunks, sources, sourceVersions, versionChunks } from "../db/schema/index.ts";
import { companyLiteral, intsLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { START_LENGTH, type VersionClues, versionClues } from "../language/versions.ts";
import { servedAudience } from "../search-index/served-audience.ts";

interface InCompany {
  companyId: CompanyId;
}

export interface NearChunk {
  ordinal: number;
  cosine: number;
}

interface VectorQuery extends InCompany {
  model: { id: number; dimensions: number };
  /** An expression for a vector of unit length. */
  vector: SQL;
}

/** The nearest chunks of the company, found by comparing the question with every chunk. */
export async function nearestExact(
  tx: Transaction,
  { companyId, model, vector, count }: VectorQuery & { count: number },
) {
  // a subquery, because PostgreSQL would otherwise compute each distance twice: for the order and for the result
  return cosines(
    tx,
    sql`
    select ordinal, -distance as cosine from (
      select ordinal, embedding <#> ${vector} as distance from ragstone.embeddings
      where company_id = ${companyLiteral(companyId)} and model_id = ${sql.raw(String(model.id))} order by distance, ordinal limit ${sql.raw(String(count))}) as near`,
  );
}

/** The cosines of these chunks. */
export async function cosinesOf(
  tx: Transaction,
  { companyId, model, vector, ordinals }: VectorQuery & { ordinals: number[] },
) {
  if (ordinals.length === 0) return [];
  return cosines(
    tx,
    sql`
    select ordinal, -(embedding <#> ${vector}) as cosine from ragstone.embeddings
    where company_id = ${companyLiteral(companyId)} and model_id = ${sql.raw(String(model.id))}
      and ordinal = any(${intsLiteral(ordinals)})`,
  );
}

/**
 * The nearest chunks by the HNSW index, which keeps scanning until it has `count` chunks of the company, and the nearest
 * of those that are not in the graph yet.
 */
export async function nearestByIndex(
  tx: Transaction,
  { companyId, model, vector, count, effSearch }: VectorQuery & { count: number; effSearch: number },
) {
  const type = sql.raw(`${vectorType(model.dimensions)}(${model.dimensions})`);
  await tx.execute(sql.raw(`set local hnsw.ef_search = ${effSearch}`));
  await tx.execute(sql.raw("set local hnsw.iterative_scan = relaxed_order"));
  await tx.execute(sql.raw("set local enable_seqscan = off"));
  await tx.execute(sql.raw("set local enable_sort = off"));
  const near = await cosines(
    tx,
    sql`
    (select ordinal, -(embedding::${type} <#> ${vector}::${type}) as cosine from ragstone.embeddings
    where company_id = ${companyId} and model_id = ${sql.raw(String(model.id))} and in_graph
    order by embedding::${type} <#> ${vector}::${type} limit ${count})
    union all
    (select ordinal, -(embedding <#> ${vector}) as cosine from ragstone.embeddings
    where company_id = ${companyId} and model_id = ${sql.raw(String(model.id))} and not in_graph
    order by embedding <#> ${vector}, ordinal limit ${count})`,
  );
  return near.toSorted((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal).slice(0, count);
}

/** @param query selects `ordinal` and `cosine`; the chunks come in any order */
async function cosines(tx: Transaction, query: SQL): Promise<NearChunk[]> {
  // one row is faster to send and to parse than hundreds
  const [row] = await tx.execute<{ ordinals: string | null; cosines: string | null }>(sql`
    select string_agg(ordinal::text, ',') as ordinals, string_agg(cosine::text, ',') as cosines from (${query}) as each`);
  const values = row?.cosines?.split(",") ?? [];
  const ordinals = row?.ordinals?.split(",") ?? [];
  return ordinals.map((ordinal, index) => ({ ordinal: Number(ordinal), cosine: Number(values[index]) }));
}

/** A hash of each chunk's text, by ordinal. Different hashes mean different texts. */
export async function readTexts(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return new Map<number, number>();
  // one row is faster to send and to parse than hundreds
  const [row] = await tx.execute<{ texts: string | null }>(sql`
    select string_agg(ordinal || ':' || hashtext(content), ',') as texts
    from ragstone.chunks where company_id = ${companyLiteral(companyId)} and ordinal = any(${intsLiteral(ordinals)})`);
  const pairs = row?.texts?.split(",").map((pair) => pair.split(":").map(Number)) ?? [];
  return new Map(pairs.map(([ordinal = 0, text = 0]) => [ordinal, text]));
}

/** What each chunk says about the version of its document, by ordinal. */
export async function readVersionClues(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return new Map<number, VersionClues>();
  // the embedded text begins with the title and the headings
  const rows = await tx.execute<{ ordinal: number; head: string; start: string }>(sql`
    select ordinal, split_part(embedding_text, chr(10), 1) as head, left(content, ${START_LENGTH}::int) as start
    from ragstone.chunks where company_id = ${companyLiteral(companyId)} and ordinal = any(${intsLiteral(ordinals)})`);
  return new Map(rows.map(({ ordinal, ...texts }) => [ordinal, toVersionClues(texts)]));
}

/**
 * @param chunk.head the first line of the embedded text: title and headings
 * @param chunk.start the beginning of the content
 */
export function toVersionClues({ head, start }: { head: string; start: string }): VersionClues {
  const [title = "", ...path] = head.split(" > ");
  return versionClues({ title, path, content: start });
}

type Source = typeof sources.$inferSelect;
type Version = typeof sourceVersions.$inferSelect;

/** A chunk with the labels of the current version of its source. */
export interface ChunkRow
  extends Pick<typeof chunks.$inferSelect, "ordinal" | "id" | "content" | "headings">,
    Pick<typeof versionChunks.$inferSelect, "position" | "page">,
    Pick<Source, "sourceId">,
    Pick<Version, "sourceType" | "title" | "audience" | "contentCategory" | "path" | "metadata"> {
  fileName: string | null;
  /** The verification of the answer, which may have expired since; `until` is its last day, null for no end. */
  verified: { until: string | null } | null;
  /** Of a question and answer: the phrasing of its question that this chunk was embedded with. */
  phrasing: string | null;
}

/** The chunks with the labels of the current versions of their sources. */
export async function readChunks(tx: Transaction, wanted: InCompany & { ordinals: number[] }): Promise<ChunkRow[]> {
  if (wanted.ordinals.length === 0) return [];
  const rows = await tx.execute<{ chunk: ChunkRow }>(chunksQuery(wanted));
  return rows.map(({ chunk }) => chunk);
}

/** A statement without parameters, with a `ChunkRow` in each row. */
export function chunksQuery({ companyId, ordinals }: InCompany & { ordinals: number[] }): SQL {
  const own = companyLiteral(companyId);
  return sql`
    select json_build_object('ordinal', chunks.ordinal, 'id', chunks.id, 'content', chunks.content,
      'headings', chunks.headings, 'position', version_chunks.position, 'page', version_chunks.page,
      'sourceId', sources.source_id, 'sourceType', source_versions.source_type, 'title', source_versions.title,
      'audience', ${servedAudience(companyId)}, 'contentCategory', source_versions.content_category,
      'path', source_versions.path, 'metadata', source_versions.metadata,
      'fileName', case when source_versions.body ->> 'kind' = 'file' then source_versions.body ->> 'fileName' end,
      'verified', case when sources.verified_at is not null then json_build_object('until', sources.verified_until) end,
      'phrasing', case when source_versions.source_type = 'qa' then split_part(chunks.embedding_text, chr(10), 1) end) as chunk
    from ragstone.chunks
    join ragstone.sources on sources.company_id = ${own} and sources.id = chunks.source_id
    join ragstone.source_versions on source_versions.company_id = ${own} and source_versions.id = sources.current_version_id
    join ragstone.version_chunks on version_chunks.company_id = ${own}
      and version_chunks.version_id = source_versions.id and version_chunks.chunk_id = chunks.id
    where chunks.company_id = ${own} and chunks.ordinal = any(${intsLiteral(ordinals)})`;
}
