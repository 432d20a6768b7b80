import { and, eq, inArray, sql } from "drizzle-orm";
import { type Actor, requireMembership } from "../../audit/record.ts";
import { jobs, sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";

/** Something may be away for so long before whoever waits for the work is told. */
const PATIENCE_SECONDS = 30;

/** A job that waits for what is away. */
export const putOff = sql`(${jobs.state} = 'queued' and ${jobs.payload} ->> 'awaySince' is not null)`;

/** Those of the versions that are still to be built. */
export async function waitingVersions(scope: TenantScope, actor: Actor, versionIds: string[]): Promise<Set<string>> {
  requireMembership(scope, actor);
  const rows = await scope.transaction((tx) =>
    tx.selectDistinct({ id: jobs.subjectId }).from(jobs).where(ofVersions(scope.companyId, versionIds)),
  );
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/**
 * How far the jobs of these versions are, in versions. `putOff` of those that are not done wait for something that has
 * been away for a while: their next try may be minutes ahead.
 */
export async function progressOf(scope: TenantScope, actor: Actor, versionIds: string[]) {
  requireMembership(scope, actor);
  const patience = sql`(extract(epoch from now()) - ${PATIENCE_SECONDS}) * 1000`;
  const [row] = await scope.transaction((tx) =>
    tx
      .select({
        waiting: sql<number>`count(distinct ${jobs.subjectId})::int`,
        putOff: sql<number>`(count(distinct ${jobs.subjectId}) filter (
          where ${putOff} and ${jobs.runAfter} > now() and (${jobs.payload} ->> 'awaySince')::float8 < ${patience}))::int`,
      })
      .from(jobs)
      .where(ofVersions(scope.companyId, versionIds)),
  );
  const { waiting = 0, putOff: later = 0 } = row ?? {};
  return { done: versionIds.length - waiting, putOff: later, total: versionIds.length };
}

/** What became of these versions: failures and what is put off, with their reasons, and the chunks of the others. */
export async function outcomeOf(scope: TenantScope, actor: Actor, versionIds: string[]) {
  requireMembership(scope, actor);
  const rows = await scope.transaction((tx) =>
    tx
      .select({
        sourceId: sources.sourceId,
        state: sourceVersions.state,
        error: sourceVersions.error,
        chunkCount: sourceVersions.chunkCount,
        away: sql<string | null>`(select ${jobs.lastError} from ${jobs}
          where ${jobs.companyId} = ${sourceVersions.companyId} and ${jobs.kind} = 'ingest'
            and ${jobs.subjectId} = ${sourceVersions.id} and ${putOff} limit 1)`,
      })
      .from(sourceVersions)
      .innerJoin(sources, and(eq(sources.companyId, scope.companyId), eq(sources.id, sourceVersions.sourceId)))
      .where(
        and(eq(sourceVersions.companyId, scope.companyId), sql`${sourceVersions.id} = any(${uuidArray(versionIds)})`),
      ),
  );
  const failed = rows.flatMap(({ sourceId, state, error, away }) => {
    if (away) return { path: sourceId, reason: `Waiting to retry: ${away}` };
    return state === "failed" ? { path: sourceId, reason: error ?? "Processing failed." } : [];
  });
  return {
    failed,
    sources: rows.length - failed.length,
    chunks: rows.reduce((sum, { state, chunkCount }) => sum + (state === "failed" ? 0 : chunkCount), 0),
  };
}

function ofVersions(companyId: CompanyId, versionIds: string[]) {
  return and(
    eq(jobs.companyId, companyId),
    eq(jobs.kind, "ingest"),
    inArray(jobs.state, ["queued", "running"]),
    sql`${jobs.subjectId} = any(${uuidArray(versionIds)})`,
  );
}
