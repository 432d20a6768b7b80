import type { Failure } from "../jobs/failure.ts";
import type { Claim, Job } from "../jobs/job.ts";
import { failJob, LEASE_LOSSES_MAX } from "../jobs/queue.ts";
import { log } from "../log.ts";
import { affectsEveryJob, classifyFailure } from "./classify-failure.ts";
import { HANDLERS } from "./handlers.ts";

const WORKER_DIED: Failure = {
  cause: "final",
  reason: `the worker stopped ${LEASE_LOSSES_MAX} times while it did this job`,
  shown: `Processing stopped ${LEASE_LOSSES_MAX} times without progress. Split the source into smaller ones, or try again.`,
};

/** Fails the jobs whose workers died too often. @returns the other jobs */
export async function failFatal(jobs: Job[]): Promise<Job[]> {
  const isFatal = ({ deaths }: Job) => deaths >= LEASE_LOSSES_MAX;
  for (const job of jobs.filter(isFatal)) {
    log().error({ jobId: job.id, kind: job.kind }, `worker: job failed, ${WORKER_DIED.reason}`);
    await recordFailure(job, WORKER_DIED);
  }
  return jobs.filter((job) => !isFatal(job));
}

/** Fails one job of a claim. @throws the error if the other jobs would fail too */
export async function failAttempt(job: Job, error: unknown): Promise<void> {
  if (affectsEveryJob(error)) throw error;
  const failure = classifyFailure(error);
  const details = { jobId: job.id, kind: job.kind, attempt: job.attempts };
  if (failure.cause === "unavailable") log().warn({ reason: failure.reason, ...details }, "worker: job deferred");
  else if (failure.cause === "unknown") log().error({ err: error, ...details }, "worker: job failed");
  await recordFailure(job, failure);
}

/** Fails the jobs of a claim that are not finished yet. */
export async function failAll({ jobs, kind }: Claim, error: unknown): Promise<void> {
  const failure = classifyFailure(error);
  const details = { kind, jobs: jobs.length };
  if (failure.cause === "unavailable") log().warn({ reason: failure.reason, ...details }, "worker: jobs deferred");
  else log().error({ err: error, ...details }, "worker: jobs failed");
  for (const job of jobs) await recordFailure(job, failure, { shared: true });
}

async function recordFailure(job: Job, failure: Failure, { shared = false } = {}): Promise<void> {
  const { onFailed } = HANDLERS[job.kind];
  await failJob(job, failure, { shared, onFailed: async (tx) => onFailed?.(tx, job, failure) });
}
