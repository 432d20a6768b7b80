import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { requireAdmin, requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources } from "../../db/schema/index.ts";
import { textArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
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

/** A page of the sources that an actor may see, by the time they were added. */
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
  const rows = await scope.transaction((tx) =>
    readListed(tx, { companyId, actor }, { where, orderBy, limit: limit + 1 }),
  );
  const page = rows.slice(0, limit);
  return { rows: isBackwards ? page.reverse() : page, hasMore: rows.length > limit };
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

export interface KnowledgeSummary {
  name: string;
  createdAt: Date;
  /** When a source was last changed; null without sources. */
  changedAt: Date | null;
  bytes: number;
  counts: Record<KnownStatus, number>;
}

/** The size of the knowledge that an actor may see. */
export async function summarizeKnowledge(scope: TenantScope, actor: Actor): Promise<KnowledgeSummary> {
  requireMembership(scope, actor, "retrieve");
  const [row] = await scope.transaction((tx) =>
    tx.execute<Record<"name" | "createdAt" | "changedAt" | "bytes" | "ready" | "processing" | "failed", string>>(sql`
      select company.name, (extract(epoch from company.created_at) * 1000)::text as "createdAt", seen.*
      from ragstone.companies company, (
        select (extract(epoch from max(sources.updated_at)) * 1000)::text as "changedAt",
          coalesce(sum(${BYTES}), 0)::text as bytes, count(*) filter (where ${STATUS} = 'ready')::text as ready,
          count(*) filter (where ${STATUS} = 'processing')::text as processing,
          count(*) filter (where ${STATUS} = 'failed')::text as failed
        ${visibleSources(scope.companyId, actor)}) as seen
      where company.id = ${scope.companyId}`),
  );
  if (!row) throw notFound("Company");
  const [ready, processing, failed] = [row.ready, row.processing, row.failed].map(Number);
  return {
    name: row.name,
    createdAt: new Date(Number(row.createdAt)),
    changedAt: row.changedAt === null ? null : new Date(Number(row.changedAt)),
    bytes: Number(row.bytes),
    counts: { ready: ready ?? 0, processing: processing ?? 0, failed: failed ?? 0 },
  };
}
