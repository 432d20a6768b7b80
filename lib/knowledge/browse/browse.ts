import { and, asc, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { type Actor, requireMembership } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { containsPattern, textArray, uuidArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { type JobProgress, jobProgress } from "../../jobs/progress.ts";
import { pageWithin } from "../../page.ts";
import { sourcesWithWords } from "../../search-index/find-words.ts";
import { UNDO_HOURS } from "../ingest/purge.ts";
import { SOURCES_PER_PAGE, type SourceStatus } from "../values.ts";
import type { BrowseQuery } from "./browse-query.ts";
import { countFacets, type Facets, type LabelCount } from "./facets.ts";

const current = alias(sourceVersions, "current");
const latest = alias(sourceVersions, "latest");

/** Status of a source: deleted, or the state of its newest version. See `SourceStatus`. */
export const statusColumn = sql<SourceStatus>`case
  when ${sources.deletedAt} is not null then 'deleted'
  when ${latest.state} = 'failed' then 'failed'
  when ${latest.state} = 'building' then 'processing'
  else 'ready' end`;

const SORT_COLUMNS = {
  updated: sources.updatedAt,
  title: sql`lower(${latest.title})`,
  chunks: sql`coalesce(${current.chunkCount}, 0)`,
};

export type SourceRow = Awaited<ReturnType<typeof readRows>>[number] & { progress: JobProgress | null };

export interface SourcePage {
  rows: SourceRow[];
  /** Sources that pass all filters. */
  total: number;
  page: number;
  facets: Facets;
  /** Sources of the whole company. */
  counts: { known: number; processing: number; failed: number };
}

/** A page of a company's sources, with facets over all sources that match the search. */
export async function browseSources(scope: TenantScope, actor: Actor, query: BrowseQuery): Promise<SourcePage> {
  requireMembership(scope, actor);
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const found = query.search ? await searchCondition(tx, companyId, query.search) : undefined;
    const labels = await countLabels(tx, companyId, found);
    const { total, facets } = countFacets(labels, query);
    const { page, ...slice } = pageWithin(query.page, { total, pageSize: SOURCES_PER_PAGE });
    const listed = and(listedCondition(companyId, found), ...conditions(query));
    const rows = total === 0 ? [] : await readRows(tx, companyId, listed, { ...query, ...slice });
    const subjectIds = rows.flatMap(({ status, versionId }) => (status === "processing" ? versionId : []));
    const progress = await jobProgress(tx, companyId, { kind: "ingest", subjectIds });
    return {
      rows: rows.map((row) => ({ ...row, progress: progress.get(row.versionId) ?? null })),
      total,
      page,
      facets,
      counts: countsOf(found ? await countStatuses(tx, companyId) : labels),
    };
  });
}

/** Matches all words in title or identifier as written, or in the content by their stems. */
async function searchCondition(tx: Transaction, companyId: CompanyId, search: string): Promise<SQL | undefined> {
  const words = search.split(/\s+/).map(containsPattern);
  const named = and(...words.map((word) => sql`(${latest.title} ilike ${word} or ${sources.sourceId} ilike ${word})`));
  const ids = await sourcesWithWords(tx, companyId, search);
  return ids.length === 0 ? named : or(named, sql`${sources.id} = any(${uuidArray(ids)})`);
}

/** Lists a deleted source for as long as it can be restored. */
function listedCondition(companyId: CompanyId, found: SQL | undefined): SQL | undefined {
  const undoable = gt(sources.deletedAt, sql`now() - make_interval(hours => ${UNDO_HOURS})`);
  return and(eq(sources.companyId, companyId), or(isNull(sources.deletedAt), undoable), found);
}

const toLatest = and(eq(latest.companyId, sources.companyId), eq(latest.id, sources.latestVersionId));
const toCurrent = and(eq(current.companyId, sources.companyId), eq(current.id, sources.currentVersionId));

/** Reads one JSON text, because the driver needs longer for thousands of rows with arrays than the database. */
async function countLabels(tx: Transaction, companyId: CompanyId, found: SQL | undefined): Promise<LabelCount[]> {
  const labels = tx
    .select({
      type: sql`${latest.sourceType}`.as("type"),
      audience: sql`${latest.audience}`.as("audience"),
      category: sql`${latest.contentCategory}`.as("category"),
      path: sql`${latest.path}`.as("path"),
      status: sql`${statusColumn}`.as("status"),
      count: sql`count(*)`.as("count"),
    })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(listedCondition(companyId, found))
    .groupBy(...[1, 2, 3, 4, 5].map((column) => sql.raw(String(column))))
    .as("labels");
  // without table statistics the planner sorts, and comparing arrays is slow
  await tx.execute(sql`set local enable_sort = off`);
  const [row] = await tx.select({ all: sql<string>`coalesce(json_agg(labels), '[]')::text` }).from(labels);
  await tx.execute(sql`set local enable_sort = on`);
  return JSON.parse(row?.all ?? "[]");
}

async function countStatuses(tx: Transaction, companyId: CompanyId): Promise<Pick<LabelCount, "status" | "count">[]> {
  return tx
    .select({ status: statusColumn, count: sql<number>`count(*)::int` })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(listedCondition(companyId, undefined))
    .groupBy(sql.raw("1"));
}

function countsOf(all: Pick<LabelCount, "status" | "count">[]): SourcePage["counts"] {
  const of = (...wanted: SourceStatus[]) =>
    all.reduce((sum, { status, count }) => sum + (wanted.includes(status) ? count : 0), 0);
  return { known: of("ready", "processing", "failed"), processing: of("processing"), failed: of("failed") };
}

type RowSelection = Pick<BrowseQuery, "sort" | "descending"> & { limit: number; offset: number };

async function readRows(tx: Transaction, companyId: CompanyId, listed: SQL | undefined, selection: RowSelection) {
  const { sort, descending, limit, offset } = selection;
  const order = [(descending ? desc : asc)(SORT_COLUMNS[sort]), asc(sources.id)];
  // selects the ids first, because sorting whole rows is slow
  const chosen = tx
    .select({ id: sources.id })
    .from(sources)
    .leftJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(listed)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return tx
    .select({
      id: sources.id,
      sourceId: sources.sourceId,
      versionId: latest.id,
      title: latest.title,
      type: latest.sourceType,
      status: statusColumn,
      /** Why the newest version failed; null otherwise. */
      error: latest.error,
      /** Whether retrieval can return this or an older version. */
      served: sql<boolean>`${current.id} is not null`,
      chunks: sql<number>`coalesce(${current.chunkCount}, 0)`,
      audience: latest.audience,
      category: latest.contentCategory,
      path: latest.path,
      updatedAt: sources.updatedAt,
    })
    .from(sources)
    .innerJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, chosen)))
    .orderBy(...order);
}

function conditions({ type, audience, category, path, status }: BrowseQuery): (SQL | undefined)[] {
  return [
    type ? eq(latest.sourceType, type) : undefined,
    audience ? sql`${latest.audience} @> ${textArray([audience])}` : undefined,
    category ? eq(latest.contentCategory, category) : undefined,
    path.length > 0 ? sql`${latest.path}[1:${path.length}::int] = ${textArray(path)}` : undefined,
    status ? sql`${statusColumn} = ${status}` : isNull(sources.deletedAt),
  ];
}
