import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { vectorType } from "../db/schema/embeddings.ts";
import { chunks, companies, embeddingModels, sources, sourceVersions, versionChunks } from "../db/schema/index.ts";
import { companyLiteral, intsLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { START_LENGTH, type VersionClues, versionClues } from "../language/versions.ts";
import { servedAudience } from "../search-index/served-audience.ts";

interface InCompany {
  companyId: CompanyId;
}

/** The model whose vectors the company's searches use; null while the company has no vectors. */
export async function servingModel(tx: Transaction, companyId: CompanyId) {
  const [row] = await tx
    .select({ id: embeddingModels.id, name: embeddingModels.name, dimensions: embeddingModels.dimensions })
    .from(companies)
    .innerJoin(embeddingModels, eq(embeddingModels.id, companies.embeddingModelId))
    .where(eq(companies.id, companyId));
  return row ?? null;
}

export interface NearChunk {
  ordinal: number;
  cosine: number;
}

interface VectorQuery extends InCompany {
  model: { id: number; dimensions: number };
  /** A vector literal of unit length. */
  vector: string;
}

/** The nearest chunks of the company, found by comparing the question with every chunk. */
export async function nearestExact(
  tx: Transaction,
  { companyId, model, vector, count }: VectorQuery & { count: number },
) {
  // a subquery, because PostgreSQL would otherwise compute each distance twice: for the order and for the result
  const [from, top] = [`'${vector}'::vector`, String(count)].map((each) => sql.raw(each));
  return cosines(
    tx,
    sql`
    select ordinal, -distance as cosine from (
      select ordinal, embedding <#> ${from} as distance from ragstone.embeddings
      where company_id = ${companyLiteral(companyId)} and model_id = ${sql.raw(String(model.id))} order by distance, ordinal limit ${top}) as near`,
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
    where company_id = ${companyLiteral(companyId)} and model_id = ${sql.raw(String(model.id))}
      and ordinal = any(${intsLiteral(ordinals)})`,
  );
}

/** The nearest chunks by the HNSW index, which keeps scanning until it has `count` chunks of the company. */
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

async function cosines(tx: Transaction, query: SQL): Promise<NearChunk[]> {
  const rows = await tx.execute<{ ordinal: number; cosine: number }>(query);
  return rows.map(({ ordinal, cosine }) => ({ ordinal, cosine: Number(cosine) }));
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
  return new Map(
    rows.map(({ ordinal, head, start }) => {
      const [title = "", ...path] = head.split(" > ");
      return [ordinal, versionClues({ title, path, content: start })];
    }),
  );
}

/** The chunks with the labels of the current versions of their sources. */
export async function readChunks(tx: Transaction, { companyId, ordinals }: InCompany & { ordinals: number[] }) {
  if (ordinals.length === 0) return [];
  const own = companyLiteral(companyId);
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
      /** Of a question and answer: the wording of its question that this chunk was embedded with. */
      wording: sql<
        string | null
      >`case when ${sourceVersions.sourceType} = 'qa' then split_part(${chunks.embeddingText}, E'\\n', 1) end`,
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
    .where(and(eq(chunks.companyId, own), sql`${chunks.ordinal} = any(${intsLiteral(ordinals)})`));
}

export type ChunkRow = Awaited<ReturnType<typeof readChunks>>[number];
