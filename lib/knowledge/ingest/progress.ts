import { and, eq, sql } from "drizzle-orm";
import { requireMembership } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import { uuidArray } from "../../db/sql.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { countUnfinished, jobProgress } from "../../jobs/progress.ts";

/** Which of the versions are still being processed. */
export async function unfinishedVersions(scope: TenantScope, actor: Actor, versionIds: string[]): Promise<Set<string>> {
  requireMembership(scope, actor);
  const progress = await scope.transaction((tx) => jobProgress(tx, scope.companyId, ingestOf(versionIds)));
  return new Set(progress.keys());
}

/**
 * Counts the versions that are processed. The others include `deferred` ones, which wait for something that has been
 * unavailable for a while: their next try may be minutes ahead.
 */
export async function progressOf(scope: TenantScope, actor: Actor, versionIds: string[]) {
  requireMembership(scope, actor);
  const { unfinished, deferred } = await scope.transaction((tx) =>
    countUnfinished(tx, scope.companyId, ingestOf(versionIds)),
  );
  return { done: versionIds.length - unfinished, deferred, total: versionIds.length };
}

/**
 * The results of processing these versions: failed and deferred ones with the reason, and the chunks and notices of the
 * others.
 */
export async function outcomeOf(scope: TenantScope, actor: Actor, versionIds: string[]) {
  requireMembership(scope, actor);
  const { companyId } = scope;
  const { rows, progress } = await scope.snapshot(async (tx) => ({
    rows: await tx
      .select({
        id: sourceVersions.id,
        sourceId: sources.sourceId,
        state: sourceVersions.state,
        error: sourceVersions.error,
        notice: sourceVersions.notice,
        chunkCount: sourceVersions.chunkCount,
      })
      .from(sourceVersions)
      .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceVersions.sourceId)))
      .where(and(eq(sourceVersions.companyId, companyId), sql`${sourceVersions.id} = any(${uuidArray(versionIds)})`)),
    progress: await jobProgress(tx, companyId, ingestOf(versionIds)),
  }));
  const failed = rows.flatMap(({ id, sourceId, state, error }) => {
    const waitsFor = progress.get(id)?.waitsFor;
    if (waitsFor) return { path: sourceId, reason: `Waiting to retry: ${waitsFor}` };
    return state === "failed" ? { path: sourceId, reason: error ?? "Processing failed." } : [];
  });
  const notices = rows.flatMap(({ id, sourceId, state, notice }) => {
    const isReady = state !== "failed" && !progress.has(id);
    return notice && isReady ? { versionId: id, path: sourceId, notice } : [];
  });
  return {
    failed,
    notices,
    sources: rows.length - failed.length,
    chunks: rows.reduce((sum, { state, chunkCount }) => sum + (state === "failed" ? 0 : chunkCount), 0),
  };
}

function ingestOf(versionIds: string[]) {
  return { kind: "ingest", subjectIds: versionIds } as const;
}
