import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, requireAdmin } from "../../audit/record.ts";
import { encodeCursor } from "../../cursor.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import { type JobProgress, jobProgress } from "../../jobs/progress.ts";
import {
  current,
  labelConditions,
  latest,
  listedCondition,
  rowColumns,
  searchCondition,
  toCurrent,
  toLatest,
} from "../browse/source-rows.ts";
import { VERSIONS_SHOWN } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import type { listedSource, listResponse, sourceResponse } from "./responses.ts";
import type { ListQuery } from "./schema.ts";

/** With microseconds, which a JavaScript date does not have, so that a cursor finds the exact row. */
const changedAt = sql<string>`to_char(${sources.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const VERSION_STATUS = { building: "processing", current: "ready", superseded: "replaced", failed: "failed" } as const;

/** A page of the sources that the actor may see, newest change last. */
export async function listManaged(
  scope: TenantScope,
  actor: Actor,
  query: ListQuery,
): Promise<z.input<typeof listResponse>> {
  requireAdmin(scope, actor, "manage");
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const found = query.search ? await searchCondition(tx, companyId, query.search) : undefined;
    const where = and(listedCondition(companyId, found), visibleTo(actor), ...conditionsOf(query));
    const rows = await readManaged(tx, where, query.limit + 1);
    const page = rows.slice(0, query.limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const progress = await progressOf(tx, companyId, page);
    return {
      sources: page.map((row) => managed(row, progress)),
      nextCursor: last ? encodeCursor([last.updatedAt, last.id]) : null,
    };
  });
}

/** One source with its versions. @throws {AppError} NotFound, also when the actor may not see the source */
export async function getManaged(
  scope: TenantScope,
  actor: Actor,
  id: string,
): Promise<z.input<typeof sourceResponse>> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const where = and(listedCondition(companyId), visibleTo(actor), eq(sources.id, id));
    const [row] = await readManaged(tx, where, 1);
    if (!row) throw notFound("Source");
    const { body } = row;
    return {
      ...managed(row, await progressOf(tx, companyId, [row])),
      file: body.kind === "file" ? { name: body.fileName, bytes: body.bytes, sha256: body.sha256 } : null,
      versions: await readVersions(tx, companyId, id),
    };
  });
}

function conditionsOf(query: ListQuery): (SQL | undefined)[] {
  const { sourceId, prefix, type, audience, contentCategory, path, status, updatedAfter, cursor } = query;
  const labels = { type: type ?? null, audience: audience ?? null, category: contentCategory ?? null };
  return [
    ...labelConditions({ ...labels, path: path ?? [], status: status ?? null }),
    sourceId === undefined ? undefined : eq(sources.sourceId, sourceId),
    prefix === undefined ? undefined : sql`starts_with(${sources.sourceId}, ${prefix})`,
    updatedAfter === undefined ? undefined : gt(sources.updatedAt, sql`${updatedAfter}::timestamptz`),
    cursor && sql`(${sources.updatedAt}, ${sources.id}) > (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`,
  ];
}

type Row = Awaited<ReturnType<typeof readManaged>>[number];

async function readManaged(tx: Transaction, where: SQL | undefined, limit: number) {
  return tx
    .select({
      ...rowColumns,
      updatedAt: changedAt,
      attachedTo: sources.attachedTo,
      createdAt: sources.createdAt,
      metadata: latest.metadata,
      // without the text, which may take 10 MB
      body: sql<
        { kind: "file"; fileName: string; bytes: number; sha256: string } | { kind: "text" | "qa" }
      >`case when ${latest.body} ->> 'kind' = 'file' then ${latest.body} else jsonb_build_object('kind', ${latest.body} ->> 'kind') end`,
    })
    .from(sources)
    .innerJoin(latest, toLatest)
    .leftJoin(current, toCurrent)
    .where(where)
    .orderBy(asc(sources.updatedAt), asc(sources.id))
    .limit(limit);
}

async function progressOf(tx: Transaction, companyId: CompanyId, rows: Row[]): Promise<Map<string, JobProgress>> {
  const subjectIds = rows.flatMap(({ status, versionId }) => (status === "processing" ? versionId : []));
  return jobProgress(tx, companyId, { kind: "ingest", subjectIds });
}

function managed(row: Row, progress: Map<string, JobProgress>): z.input<typeof listedSource> {
  const { type, category, body: _, createdAt, ...same } = row;
  const job = progress.get(row.versionId);
  return {
    ...same,
    sourceType: type,
    contentCategory: category,
    progress: job ? { done: job.done, total: job.total, waitsFor: job.waitsFor } : null,
    createdAt: createdAt.toISOString(),
  };
}

async function readVersions(tx: Transaction, companyId: CompanyId, sourceRowId: string) {
  const { id, number, state, chunkCount, error, createdAt } = sourceVersions;
  const rows = await tx
    .select({ id, number, state, chunks: chunkCount, error, createdAt })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, sourceRowId)))
    .orderBy(desc(number))
    .limit(VERSIONS_SHOWN);
  return rows.map(({ state, createdAt, ...version }) => ({
    ...version,
    status: VERSION_STATUS[state],
    createdAt: createdAt.toISOString(),
  }));
}
