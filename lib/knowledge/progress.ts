import { and, eq, inArray, sql } from "drizzle-orm";
import { jobs, sources, sourceVersions } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { TenantScope } from "../db/tenant.ts";

/** Those of the versions that are still to be built. */
export async function waitingVersions(scope: TenantScope, versionIds: string[]): Promise<Set<string>> {
  const rows = await scope.transaction((tx) =>
    tx
      .selectDistinct({ id: jobs.subjectId })
      .from(jobs)
      .where(
        and(
          eq(jobs.companyId, scope.companyId),
          eq(jobs.kind, "ingest"),
          inArray(jobs.state, ["queued", "running"]),
          sql`${jobs.subjectId} = any(${uuidArray(versionIds)})`,
        ),
      ),
  );
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** How far the jobs of these versions are; `done` and `total` count versions. */
export async function progressOf(scope: TenantScope, versionIds: string[]): Promise<{ done: number; total: number }> {
  const { size: waiting } = await waitingVersions(scope, versionIds);
  return { done: versionIds.length - waiting, total: versionIds.length };
}

/** What became of these versions: failures with their reasons, and the chunks of the others. */
export async function outcomeOf(scope: TenantScope, versionIds: string[]) {
  const rows = await scope.transaction((tx) =>
    tx
      .select({
        sourceId: sources.sourceId,
        state: sourceVersions.state,
        error: sourceVersions.error,
        chunkCount: sourceVersions.chunkCount,
      })
      .from(sourceVersions)
      .innerJoin(sources, and(eq(sources.companyId, scope.companyId), eq(sources.id, sourceVersions.sourceId)))
      .where(
        and(eq(sourceVersions.companyId, scope.companyId), sql`${sourceVersions.id} = any(${uuidArray(versionIds)})`),
      ),
  );
  const failed = rows.filter(({ state }) => state === "failed");
  return {
    failed: failed.map(({ sourceId, error }) => ({ path: sourceId, reason: error ?? "It could not be processed." })),
    sources: rows.length - failed.length,
    chunks: rows.reduce((sum, { state, chunkCount }) => sum + (state === "failed" ? 0 : chunkCount), 0),
  };
}
