import { and, asc, desc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { encodeCursor } from "../../cursor.ts";
import type { Transaction } from "../../db/client.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { notFound } from "../../errors.ts";
import { type JobProgress, jobProgress } from "../../jobs/progress.ts";
import { type ListedSource, readListed } from "../browse/read-listed.ts";
import { labelConditions, listedCondition, searchCondition } from "../browse/source-rows.ts";
import { VERSIONS_SHOWN } from "../values.ts";
import { visibleTo } from "../visible-sources.ts";
import type { listedSource, listResponse, sourceResponse } from "./responses.ts";
import type { ListQuery } from "./schema.ts";

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
    const visible = visibleTo(companyId, actor);
    const found = query.search ? await searchCondition(tx, { companyId, text: query.search, visible }) : undefined;
    const rows = await readListed(
      tx,
      { companyId, actor },
      {
        where: and(listedCondition(companyId, found), ...conditionsOf(query)),
        orderBy: [asc(sources.updatedAt), asc(sources.id)],
        limit: query.limit + 1,
      },
    );
    const page = rows.slice(0, query.limit);
    const last = rows.length > page.length ? page.at(-1) : undefined;
    const progress = await progressByVersion(tx, companyId, page);
    return {
      sources: page.map((row) => managed(row, progress)),
      nextCursor: last ? encodeCursor([last.updatedAt, last.id]) : null,
    };
  });
}

/** One source with its versions. @throws {AppError} NotFound, including when the actor may not see the source */
export async function getManaged(
  scope: TenantScope,
  actor: Actor,
  id: string,
): Promise<z.input<typeof sourceResponse>> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  return scope.snapshot(async (tx) => {
    const where = and(listedCondition(companyId), eq(sources.id, id));
    const [row] = await readListed(tx, { companyId, actor }, { where, orderBy: [], limit: 1 });
    if (!row) throw notFound("Source");
    const { file } = row;
    return {
      ...managed(row, await progressByVersion(tx, companyId, [row])),
      file: file && { name: file.fileName, bytes: file.bytes, sha256: file.sha256 },
      versions: await readVersions(tx, companyId, id),
    };
  });
}

function conditionsOf(query: ListQuery): (SQL | undefined)[] {
  const { sourceId, prefix, type, audience, contentCategory, path, status, verification, updatedAfter, cursor } = query;
  const labels = { type: type ?? null, audience: audience ?? null, category: contentCategory ?? null };
  return [
    ...labelConditions({ ...labels, verification: verification ?? null, path: path ?? [], status: status ?? null }),
    sourceId === undefined ? undefined : eq(sources.sourceId, sourceId),
    prefix === undefined ? undefined : sql`starts_with(${sources.sourceId}, ${prefix})`,
    updatedAfter === undefined ? undefined : gt(sources.updatedAt, sql`${updatedAfter}::timestamptz`),
    cursor && sql`(${sources.updatedAt}, ${sources.id}) > (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`,
  ];
}

/** The progress of the sources that are processing, by version. */
export async function progressByVersion(
  tx: Transaction,
  companyId: CompanyId,
  rows: Pick<ListedSource, "status" | "versionId">[],
): Promise<Map<string, JobProgress>> {
  const subjectIds = rows.flatMap(({ status, versionId }) => (status === "processing" ? versionId : []));
  return jobProgress(tx, companyId, { kind: "ingest", subjectIds });
}

function managed(row: ListedSource, progress: Map<string, JobProgress>): z.input<typeof listedSource> {
  const { file: _, bytes: __, verification: ___, givenMetadata: ____, ...shown } = row;
  const { verifiedAt, verifiedBy, verifiedUntil, createdAt, ...same } = shown;
  return {
    ...same,
    progress: shownProgress(progress.get(row.versionId)),
    verification: shownVerification(row),
    createdAt: createdAt.toISOString(),
  };
}

function shownVerification({
  verification: status,
  verifiedAt: at,
  verifiedBy: by,
  verifiedUntil: until,
}: ListedSource): z.input<typeof listedSource>["verification"] {
  return status && at && by !== null ? { status, by, at: at.toISOString(), until } : null;
}

export function shownProgress(job: JobProgress | undefined): z.input<typeof listedSource>["progress"] {
  return job ? { done: job.done, total: job.total, waitsFor: job.waitsFor } : null;
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
