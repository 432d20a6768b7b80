import { embedder } from "../ai/models.ts";
import { dailyBackup } from "../backup/automatic-backups.ts";
import type { Transaction } from "../db/client.ts";
import { enqueueHourly, enqueueOnce, enqueueTestRuns } from "../db/system/jobs.ts";
import { companiesOfOtherModels, embeddingModelId } from "../db/system/models.ts";
import { deleteEndedSessions } from "../db/system/sessions.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { Job } from "../jobs/job.ts";
import { deleteFinishedJobs, reportProgress } from "../jobs/queue.ts";
import { repeatStep } from "../jobs/repeat-step.ts";
import { startTurn, type Turn } from "../jobs/turn.ts";
import { enqueuePurges, failVersionsWithoutJob } from "../knowledge/ingest/clean-up.ts";
import { hasOtherVectors } from "../knowledge/ingest/re-embed.ts";
import { deleteAbandonedOriginals } from "../knowledge/unused-originals.ts";
import { deleteExpiredUploads } from "../knowledge/uploads/hold.ts";
import { log } from "../log.ts";
import { compact, DEAD_SLOTS_MIN } from "../search-index/compact.ts";
import { growGraph } from "../search-index/vector-graph.ts";
import { deleteExpiredRequests } from "../usage/delete-expired.ts";
import { refreshGaps } from "../usage/gaps/refresh.ts";

const FINISHED_JOBS_KEPT_DAYS = 7;
/** The progress of an hourly job: the steps before the graph are done. */
const PREPARED = 1;
const STEPS = 2;
/** How long a company's knowledge and settings must be unchanged before its test questions run. */
const QUIET_SECONDS = 20;
/** A backup must not slow down the start of a server. */
const NO_BACKUP_SECONDS = 60;

/**
 * The hourly job of a company: deletes expired rows, repairs interrupted work, groups unanswered questions, compacts
 * the keyword index, completes the vectors of the serving model and puts those of a large company into the graph.
 * @returns false when the turn ended first
 */
export async function maintain(job: Job, scope: TenantScope, turn: Turn): Promise<boolean> {
  const { companyId } = scope;
  if (!(await deleteExpired(scope, turn))) return false;
  await scope.transaction(async (tx) => {
    await failVersionsWithoutJob(tx, companyId);
    await enqueuePurges(tx, companyId);
  });
  let isDone = false;
  try {
    if (job.progressDone < PREPARED) await prepare(job, scope, turn);
    isDone = await growGraph(scope, { turn });
  } finally {
    // last, because the file storage may be unavailable; even after an error, because the disk would fill up; with time
    // of its own, because a next turn repeats the steps above
    const last = startTurn("quick", turn.signal);
    const areDeleted = (await deleteExpiredUploads(scope, last)) && (await deleteAbandonedOriginals(scope, last));
    isDone &&= areDeleted;
  }
  return isDone;
}

/** What takes a large company most of a turn, so that only the first turn of a job does it. */
async function prepare(job: Job, scope: TenantScope, turn: Turn): Promise<void> {
  await refreshGaps(scope);
  await compact(scope, { signal: turn.signal, deadSlotsMin: DEAD_SLOTS_MIN });
  if (await hasOtherVectors(scope)) await enqueueOnce(scope.companyId, "re-embed");
  await reportProgress(job, PREPARED, STEPS);
}

/** @returns false when the turn ended first */
async function deleteExpired(scope: TenantScope, turn: Turn): Promise<boolean> {
  const deleteJobs = (tx: Transaction) => deleteFinishedJobs(tx, scope.companyId, FINISHED_JOBS_KEPT_DAYS);
  return (await repeatStep(scope, turn, deleteJobs)) && deleteExpiredRequests(scope, turn);
}

/** Writes the daily backup if it is due. It may read the whole database three times, so nothing else waits for it. */
export async function backUpDaily(): Promise<void> {
  if (process.uptime() <= NO_BACKUP_SECONDS) return;
  await dailyBackup().catch((error: unknown) => log().error({ err: error }, "the daily backup could not be written"));
}

/**
 * Enqueues the hourly job of every company and, after a change of the embedding model, their re-embedding, and deletes
 * ended sessions. Several workers may call it at the same time.
 */
export async function scheduleMaintenance(): Promise<void> {
  await deleteEndedSessions();
  await enqueueHourly("maintain");
  const modelId = await embeddingModelId(await embedder());
  for (const { id } of await companiesOfOtherModels(modelId)) await enqueueOnce(id, "re-embed");
}

/**
 * Enqueues the test questions of every company whose knowledge or settings changed. Several workers may call it at the
 * same time.
 */
export async function scheduleTestRuns(): Promise<void> {
  await enqueueTestRuns(QUIET_SECONDS);
}
