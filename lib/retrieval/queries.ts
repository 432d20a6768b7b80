import { and, eq, type SQL, sql } from "drizzle-orm";
import type { EffectiveFilters } from "../api-keys/policy.ts";
import type { Transaction } from "../db/client.ts";
import { vectorType } from "../db/schema/embeddings.ts";
import {
  chunks,
  companies,
  embeddingModels,
  lexicalBlocks,
  sources,
  sourceVersions,
  versionChunks,
} from "../db/schema/index.ts";
import { textArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { type PostingList, SLOTS_PER_BLOCK } from "../search-index/postings.ts";
import { servedAudience } from "./served-audience.ts";

const SLOTS = sql.raw(String(SLOTS_PER_BLOCK));

interface InCompany {
  companyId: CompanyId;
}

/** The model whose vectors serve the company; null while it has none. */
export async function servingModel(tx: Transaction, companyId: CompanyId) {
  const [row] = await tx
    .select({ id: embeddingModels.id, name: embeddingModels.name, dimensions: embeddingModels.dimensions })
    .from(companies)
    .innerJoin(embeddingModels, eq(embeddingModels.id, companies.embeddingModelId))
    .where(eq(companies.id, companyId));
  return row ?? null;
}

/** The company's lexical blocks, in order. */
export async function readBlocks(tx: Transaction, companyId: CompanyId) {
  return tx
    .select()
    .from(lexicalBlocks)
    .where(eq(lexicalBlocks.companyId, company(companyId)))
    .orderBy(lexicalBlocks.block);
}

/** The posting lists of these terms. */
export async function readPostings(tx: Transaction, { companyId, terms }: InCompany & { terms: number[] }) {
  // base64: the driver would read bytea by way of hex, which is longer
  const rows = await tx.execute<{ term: number; block: number; postings: string }>(sql`
    select term, block, encode(postings, 'base64') as postings from ragstone.lexical_postings
    where company_id = ${company(companyId)} and term = any(${integers(terms)})`);
  return rows.map(
    ({ term, block, postings }): PostingList => ({ term, block, postings: Buffer.from(postings, "base64") }),
  );
}

const SUMS = sql`sum(c.word_length)::int as "wordTotal", sum(c.gram_length)::int as "gramTotal",
  sum(c.piece_count)::int as "pieceTotal", sum(c.raw_word_count)::int as "rawWordTotal"`;

/** What BM25 and the weight of the vectors need to know of the chunks of a block together. */
export type Sums = Pick<
  typeof lexicalBlocks.$inferSelect,
  "block" | "wordTotal" | "gramTotal" | "pieceTotal" | "rawWordTotal"
>;

/** By block, the slots of chunks, live or not, of sources that pass the filters, and the sums over them. */
export async function passingChunks(
  tx: Transaction,
  { companyId, filters }: InCompany & { filters: EffectiveFilters },
) {
  // which are live is not asked here: with the bitmaps joined, the planner begins with every chunk of the company
  const rows = await tx.execute<Sums & { slots: string }>(sql`
    select c.ordinal / ${SLOTS} as block, string_agg((c.ordinal % ${SLOTS})::text, ',') as slots, ${SUMS}
    from ragstone.sources s
    join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
    join ragstone.chunks c on c.company_id = s.company_id and c.source_id = s.id
    where s.company_id = ${companyId} and s.deleted_at is null and ${isVisible(filters)}
    group by 1`);
  return rows.map(({ slots, ...sums }) => ({ ...sums, slots: slots.split(",").map(Number) }));
}

/** By block, the sums over these chunks. */
export async function sumsOf(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return [];
  return tx.execute<Sums & Record<string, unknown>>(sql`
    select c.ordinal / ${SLOTS} as block, ${SUMS}
    from ragstone.chunks c where c.company_id = ${company(companyId)} and c.ordinal = any(${integers(ordinals)})
    group by 1`);
}

/** Whether what is served of a source passes the filters. */
export async function passesFilters(
  tx: Transaction,
  { companyId, id, filters }: InCompany & { id: string; filters: EffectiveFilters },
): Promise<boolean> {
  const [row] = await tx.execute<{ passes: boolean }>(sql`
    select ${isVisible(filters)} as passes
    from ragstone.sources s
    join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
    where s.company_id = ${companyId} and s.id = ${id}`);
  return row?.passes ?? false;
}

/**
 * Whether a source's served version `v` passes the filters, and its newest one too: new labels narrow what an older version
 * shows from the moment they are accepted, however long the newest takes to build, and if it fails.
 */
function isVisible(filters: EffectiveFilters): SQL {
  return sql`${matches(sql`v`, filters)} and (s.latest_version_id = v.id or exists (
    select from ragstone.source_versions newest
    where newest.company_id = s.company_id and newest.id = s.latest_version_id and ${matches(sql`newest`, filters)}))`;
}

function matches(version: SQL, { audience, sourceTypes, contentCategory, path }: EffectiveFilters): SQL {
  const conditions = [sql`true`];
  if (audience) conditions.push(sql`${version}.audience && ${textArray(audience)}`);
  if (sourceTypes) conditions.push(sql`${version}.source_type = any(${textArray(sourceTypes)})`);
  if (contentCategory) conditions.push(sql`${version}.content_category = any(${textArray(contentCategory)})`);
  if (path) conditions.push(sql`${version}.path[1:${path.length}::int] = ${textArray(path)}`);
  return sql.join(conditions, sql` and `);
}

export interface Near {
  ordinal: number;
  cosine: number;
}

interface VectorQuery extends InCompany {
  model: { id: number; dimensions: number };
  /** A vector literal of unit length. */
  vector: string;
}

/** The nearest chunks of the company by comparing with every one of them. */
export async function nearestExact(
  tx: Transaction,
  { companyId, model, vector, count }: VectorQuery & { count: number },
) {
  // in two steps, or each distance would be computed twice: to sort by, and to return
  const [from, top] = [`'${vector}'::vector`, String(count)].map((each) => sql.raw(each));
  return cosines(
    tx,
    sql`
    select ordinal, -distance as cosine from (
      select ordinal, embedding <#> ${from} as distance from ragstone.embeddings
      where company_id = ${company(companyId)} and model_id = ${sql.raw(String(model.id))} order by distance, ordinal limit ${top}) as near`,
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
    select ordinal, -(embedding <#> ${sql.raw(`'${vector}'::vector`)}) as cosine from ragstone.embeddings
    where company_id = ${company(companyId)} and model_id = ${sql.raw(String(model.id))}
      and ordinal = any(${integers(ordinals)})`,
  );
}

/** The nearest chunks by the HNSW index, which goes on searching until it has `count` of the company's. */
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
    select ordinal, -(embedding::${type} <#> ${vector}::${type}) as cosine from ragstone.embeddings
    where company_id = ${companyId} and model_id = ${sql.raw(String(model.id))}
    order by embedding::${type} <#> ${vector}::${type} limit ${count}`,
  );
  return near.toSorted((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal);
}

async function cosines(tx: Transaction, query: SQL): Promise<Near[]> {
  const rows = await tx.execute<{ ordinal: number; cosine: number }>(query);
  return rows.map(({ ordinal, cosine }) => ({ ordinal, cosine: Number(cosine) }));
}

/** A hash of the text of each of these chunks: what differs is not the same text. */
export async function readTexts(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return new Map<number, number>();
  // in one row, which is quicker to send and to read than hundreds
  const [row] = await tx.execute<{ texts: string | null }>(sql`
    select string_agg(ordinal || ':' || hashtext(content), ',') as texts
    from ragstone.chunks where company_id = ${company(companyId)} and ordinal = any(${integers(ordinals)})`);
  const pairs = row?.texts?.split(",").map((pair) => pair.split(":").map(Number)) ?? [];
  return new Map(pairs.map(([ordinal = 0, text = 0]) => [ordinal, text]));
}

/** What is shown of these chunks, from the current versions of their sources. */
export async function readChunks(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return [];
  const own = company(companyId);
  return tx
    .select({
      ordinal: chunks.ordinal,
      id: chunks.id,
      content: chunks.content,
      headings: chunks.headings,
      position: versionChunks.position,
      page: versionChunks.page,
      sourceId: sources.sourceId,
      sourceType: sourceVersions.sourceType,
      title: sourceVersions.title,
      audience: servedAudience,
      contentCategory: sourceVersions.contentCategory,
      path: sourceVersions.path,
      metadata: sourceVersions.metadata,
      body: sql<{
        fileName?: string;
      }>`case when ${sourceVersions.body} ->> 'kind' = 'file' then ${sourceVersions.body} else '{}'::jsonb end`,
    })
    .from(chunks)
    .innerJoin(sources, and(eq(sources.companyId, own), eq(sources.id, chunks.sourceId)))
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, own), eq(sourceVersions.id, sources.currentVersionId)))
    .innerJoin(
      versionChunks,
      and(
        eq(versionChunks.companyId, own),
        eq(versionChunks.versionId, sourceVersions.id),
        eq(versionChunks.chunkId, chunks.id),
      ),
    )
    .where(and(eq(chunks.companyId, own), sql`${chunks.ordinal} = any(${integers(ordinals)})`));
}

export type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];

// as literals, for a statement with parameters waits for its description first
function company(id: CompanyId): SQL {
  return sql.raw(`'${id}'::uuid`);
}

function integers(values: number[]): SQL {
  return sql.raw(`'{${values.join(",")}}'::int[]`);
}
