import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { embedder } from "../ai/models.ts";
import { dailyBackup } from "../backup/automatic-backups.ts";
import type { Transaction } from "../db/client.ts";
import { companies, queryLog, sources, sourceVersions } from "../db/schema/index.ts";
import { enqueueHourly, enqueueOnce } from "../db/system/jobs.ts";
import { companiesOfOtherModels, embeddingModelId } from "../db/system/models.ts";
import { deleteEndedSessions } from "../db/system/sessions.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Job } from "../jobs/job.ts";
import { unfinishedJobFor } from "../jobs/progress.ts";
import { deleteFinishedJobs } from "../jobs/queue.ts";
import type { Turn } from "../jobs/turn.ts";
import { UNDO_HOURS } from "../knowledge/ingest/purge.ts";
import { log } from "../log.ts";
import { compact } from "../search-index/compact.ts";

const FINISHED_JOBS_KEPT_DAYS = 7;
/** A start is not slowed down by a backup. */
const QUIET_SECONDS = 60;
/** Sources of a company that are purged once more in an hour. */
const PURGES_AT_ONCE = 1_000;

/** Once an hour for each company: what is past its time goes. */
export async function maintain(_job: Job, scope: TenantScope, { signal }: Turn): Promise<boolean> {
  const { companyId } = scope;
  await scope.transaction(async (tx) => {
    const [company] = await tx.select().from(companies).where(eq(companies.id, companyId));
    if (!company) return;
    await tx
      .delete(queryLog)
      .where(
        and(
          eq(queryLog.companyId, companyId),
          sql`${queryLog.at} < now() - make_interval(days => ${company.queryRetentionDays})`,
        ),
      );
    await deleteFinishedJobs(tx, companyId, FINISHED_JOBS_KEPT_DAYS);
    await failForgotten(tx, companyId);
    const deleted = await tx
      .select({ id: sources.id })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, companyId),
          sql`${sources.deletedAt} < now() - make_interval(hours => ${UNDO_HOURS})`,
        ),
      );
    const stale = await unpurgedSources(tx, companyId);
    await enqueue(
      tx,
      [...new Set([...deleted.map(({ id }) => id), ...stale])].map((id) => ({
        companyId,
        kind: "purge",
        subjectId: id,
      })),
    );
  });
  await compact(scope, signal);
  return true;
}

/** Fails versions that earlier releases left without a job, so that they can be retried. */
async function failForgotten(tx: Transaction, companyId: CompanyId): Promise<void> {
  const building = unfinishedJobFor(tx, companyId, "ingest", sourceVersions.id);
  await tx
    .update(sourceVersions)
    .set({ state: "failed", error: "Processing did not finish. Try again." })
    .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.state, "building"), notExists(building)));
}

/** Sources with replaced versions whose purge failed for good, or that earlier releases did not purge. */
async function unpurgedSources(tx: Transaction, companyId: CompanyId): Promise<string[]> {
  const { sourceId, state, purgedAt } = sourceVersions;
  const purge = unfinishedJobFor(tx, companyId, "purge", sourceId);
  const rows = await tx
    .selectDistinct({ id: sourceId })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), eq(state, "superseded"), isNull(purgedAt), notExists(purge)))
    .limit(PURGES_AT_ONCE);
  return rows.map(({ id }) => id);
}

/**
 * Gives every company its hourly job, and a new embedding model its work; safe to call from several workers. Writes the
 * backup of the day and deletes the sessions that have ended.
 */
export async function scheduleMaintenance(): Promise<void> {
  if (process.uptime() > QUIET_SECONDS) {
    await dailyBackup().catch((error: unknown) => log().error({ err: error }, "the daily backup could not be written"));
  }
  await deleteEndedSessions();
  await enqueueHourly("maintain");
  const modelId = await embeddingModelId(await embedder());
  for (const { id } of await companiesOfOtherModels(modelId)) await enqueueOnce(id, "re-embed");
}
