import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { sources } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { type JobProgress, jobProgress } from "../../jobs/progress.ts";
import { pageWithin } from "../../page.ts";
import { SOURCES_PER_PAGE, type SourceStatus } from "../values.ts";
import type { BrowseQuery } from "./browse-query.ts";
import { countLabels } from "./count-labels.ts";
import { countFacets, type Facets, type LabelCount } from "./facets.ts";
import {
  current,
  labelConditions,
  latest,
  listedCondition,
  rowColumns,
  searchCondition,
  statusColumn,
  toCurrent,
  toLatest,
} from "./source-rows.ts";

const SORT_COLUMNS = {
  updated: sources.updatedAt,
  title: sql`lower(${latest.title})`,
  chunks: sql`coalesce(${current.chunkCount}, 0)`,
};

export type SourceRow = Awaited<ReturnType<typeof readRows>>[number] & { progress: JobProgress | null };

interface SourcePage {
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
    const found = query.search ? await searchCondition(tx, { companyId, text: query.search }) : undefined;
    const labels = await countLabels(tx, companyId, found);
    const { total, facets } = countFacets(labels, query);
    const { page, ...slice } = pageWithin(query.page, { total, pageSize: SOURCES_PER_PAGE });
    const where = and(listedCondition(companyId, found), ...labelConditions(query));
    const order = [(query.descending ? desc : asc)(SORT_COLUMNS[query.sort]), asc(sources.id)];
    const rows = total === 0 ? [] : await readRows(tx, companyId, { where, order, ...slice });
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

async function countStatuses(tx: Transaction, companyId: CompanyId): Promise<Pick<LabelCount, "status" | "count">[]> {
  return tx
    .select({ status: statusColumn, count: sql<number>`count(*)::int` })
    .from(sources)
    .innerJoin(latest, toLatest)
    .where(listedCondition(companyId))
    .groupBy(sql.raw("1"));
}

function countsOf(all: Pick<LabelCount, "status" | "count">[]): SourcePage["counts"] {
  const of = (...wanted: SourceStatus[]) =>
    all.reduce((sum, { status, count }) => sum + (wanted.includes(status) ? count : 0), 0);
  return { known: of("ready", "processing", "failed"), processing: of("processing"), failed: of("failed") };
}

interface Selection {
  where: SQL | undefined;
  order: SQL[];
  limit: number;
  offset: number;
}

async function readRows(tx: Transaction, companyId: CompanyId, { where, order, limit, offset }: Selection) {
  // selects the ids first, because sorting whole rows is slow
  const chosen = tx
    .select({ id: sources.id })
    .from(sources)
    .leftJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(where)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return tx
    .select(rowColumns)
    .from(sources)
    .innerJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, chosen)))
    .orderBy(...order);
}
