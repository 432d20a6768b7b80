import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { policyOf, requireAdmin, requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { companies, sources } from "../../db/schema/index.ts";
import { textArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError, notFound } from "../../errors.ts";
import { filtersOfPolicy } from "../../retrieval/apply-policy.ts";
import type { SourceStatus } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import { type ListedSource, readListed } from "./read-listed.ts";
import { statusColumn } from "./source-rows.ts";

type KnownStatus = Exclude<SourceStatus, "deleted">;

interface SourcePageQuery {
  limit: number;
  order: "asc" | "desc";
  /** Row ids of sources: the page starts after or ends before one. */
  after?: string | undefined;
  before?: string | undefined;
  status?: KnownStatus | undefined;
}

const STATUS = sql`case latest.state when 'failed' then 'failed' when 'building' then 'processing' else 'ready' end`;
const BYTES = sql`case when latest.storage_key is null then pg_column_size(latest.body)
  else (latest.body ->> 'bytes')::bigint end`;

/** The sources that an actor may see, as `sources` and `latest`. */
function visibleSources(companyId: CompanyId, actor: Actor): SQL {
  return sql`from ragstone.sources as sources
    join ragstone.source_versions latest
      on latest.company_id = sources.company_id and latest.id = sources.latest_version_id
    where sources.company_id = ${companyId} and sources.deleted_at is null and ${visibleTo(companyId, actor) ?? sql`true`}`;
}

/**
 * A page of the sources that an actor may see, by the time they were added.
 * @throws {AppError} NotFound when the page would start at an unknown id
 */
export async function pageSources(
  scope: TenantScope,
  actor: Actor,
  { limit, order, after, before, status }: SourcePageQuery,
): Promise<{ rows: ListedSource[]; hasMore: boolean }> {
  requireMembership(scope, actor, "manage");
  const { companyId } = scope;
  const isBackwards = before !== undefined && after === undefined;
  const direction = (order === "asc") === isBackwards ? desc : asc;
  const past = (id: string, towards: SQL) => sql`(${sources.createdAt}, ${sources.id}) ${towards} (
    select cursor.created_at, cursor.id from ragstone.sources as cursor
    where cursor.company_id = ${companyId} and cursor.id = ${id})`;
  const [later, earlier] = order === "asc" ? [sql`>`, sql`<`] : [sql`<`, sql`>`];
  const where = and(
    isNull(sources.deletedAt),
    status && sql`${statusColumn} = ${status}`,
    after ? past(after, later) : undefined,
    before ? past(before, earlier) : undefined,
  );
  const orderBy = [direction(sources.createdAt), direction(sources.id)];
  const rows = await scope.transaction(async (tx) => {
    const found = await readListed(tx, { companyId, actor }, { where, orderBy, limit: limit + 1 });
    if (found.length === 0) await requireCursors(tx, companyId, { after, before });
    return found;
  });
  const page = rows.slice(0, limit);
  return { rows: isBackwards ? page.reverse() : page, hasMore: rows.length > limit };
}

/** An unknown id would look like the end of the list. */
async function requireCursors(tx: Transaction, companyId: CompanyId, given: Pick<SourcePageQuery, "after" | "before">) {
  for (const [name, id] of Object.entries(given)) {
    const isKnown =
      id === undefined || (await tx.$count(sources, and(eq(sources.companyId, companyId), eq(sources.id, id)))) > 0;
    if (isKnown) continue;
    const message = "is not the id of an entry of this list";
    throw new AppError("NotFound", `${name} ${message}`, { fields: { issues: [{ path: name, message }] } });
  }
}

/** @throws {AppError} NotFound */
export async function listedSource(scope: TenantScope, actor: Actor, id: string): Promise<ListedSource> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const where = and(isNull(sources.deletedAt), eq(sources.id, id));
  const [row] = await scope.transaction((tx) => readListed(tx, { companyId, actor }, { where, orderBy: [], limit: 1 }));
  if (!row) throw notFound("Source");
  return row;
}

/** Row ids by the caller's own ids, of results that the actor has already seen. */
export async function rowIdsOf(scope: TenantScope, actor: Actor, sourceIds: string[]): Promise<Map<string, string>> {
  requireMembership(scope, actor, "retrieve");
  if (sourceIds.length === 0) return new Map();
  const rows = await scope.transaction((tx) =>
    tx.execute<{ id: string; sourceId: string }>(sql`
      select sources.id, sources.source_id as "sourceId" ${visibleSources(scope.companyId, actor)}
        and sources.source_id = any(${textArray(sourceIds)})`),
  );
  return new Map(rows.map(({ id, sourceId }) => [sourceId, id]));
}

interface SourceSums {
  /** When a source was last changed; null without sources. */
  changedAt: Date | null;
  bytes: number;
  counts: Record<KnownStatus, number>;
}

export interface KnowledgeSummary extends SourceSums {
  name: string;
  createdAt: Date;
}

const KEPT_BYTES = 4 << 20;
const ENTRY_BYTES = 400;

/** The sums of one content, by company and by the filters of a policy. Clients ask for them often. */
const kept = new LRUCache<string, { stamp: string; sums: SourceSums }>({
  maxSize: KEPT_BYTES,
  sizeCalculation: (_, key) => 2 * key.length + ENTRY_BYTES,
});

/** The size of the knowledge that an actor may see. */
export async function summarizeKnowledge(scope: TenantScope, actor: Actor): Promise<KnowledgeSummary> {
  requireMembership(scope, actor, "retrieve");
  const { companyId } = scope;
  const { name, createdAt, contentStamp } = companies;
  const key = JSON.stringify([companyId, filtersOfPolicy(policyOf(actor))]);
  // the stamp and the sums are of one moment
  return scope.snapshot(async (tx) => {
    const [row] = await tx
      .select({ name, createdAt, stamp: contentStamp })
      .from(companies)
      .where(eq(companies.id, companyId));
    if (!row) throw notFound("Company");
    const { stamp, ...company } = row;
    const known = kept.get(key);
    const sums = known?.stamp === stamp ? known.sums : await sumSources(tx, companyId, actor);
    // a source that fails makes no new stamp
    if (sums.counts.processing === 0) kept.set(key, { stamp, sums });
    return { ...company, ...sums };
  });
}

async function sumSources(tx: Transaction, companyId: CompanyId, actor: Actor): Promise<SourceSums> {
  const [row] = await tx.execute<Record<"changedAt" | "bytes" | KnownStatus, string | null>>(sql`
    select (extract(epoch from max(sources.updated_at)) * 1000)::text as "changedAt",
      coalesce(sum(${BYTES}), 0)::text as bytes, count(*) filter (where ${STATUS} = 'ready')::text as ready,
      count(*) filter (where ${STATUS} = 'processing')::text as processing,
      count(*) filter (where ${STATUS} = 'failed')::text as failed
    ${visibleSources(companyId, actor)}`);
  const count = (status: KnownStatus) => Number(row?.[status] ?? 0);
  return {
    changedAt: row?.changedAt ? new Date(Number(row.changedAt)) : null,
    bytes: Number(row?.bytes ?? 0),
    counts: { ready: count("ready"), processing: count("processing"), failed: count("failed") },
  };
}
