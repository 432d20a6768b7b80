import { randomUUID } from "node:crypto";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { watchDatabase } from "../db/database-outage.ts";
import { jobs, NO_LEASE } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import {
  claimDueJobs,
  countDue,
  extendLease,
  isHeld,
  releaseLease,
  requeueExpiredJobs,
  requeueJobsOf,
  updateHeldJob,
} from "../db/system/jobs.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import type { Failure } from "./failure.ts";
import type { Claim, Job, Lane } from "./job.ts";
import { ATTEMPTS_TOGETHER, DEFERRED_MAX_SECONDS, NO_OUTAGE, nextTry, recordsOutage } from "./next-try.ts";

/** How long a worker keeps its jobs without a heartbeat. Leases are computed with the database's clock only. */
export const LEASE_SECONDS = 20;
/** A job fails for good when its lease has expired this many times without progress in between. */
export const LEASE_LOSSES_MAX = 3;
/** Delay of a job whose workers died twice. It may not be the cause, and the real cause may have ended by then. */
const PAUSE_AFTER_LEASE_LOSSES_SECONDS = 30;
/** Few, because each job makes the claim slower. */
const JOBS_PER_CLAIM = { quick: 64, slow: 1 };
/** Small enough that a concurrent request waits only milliseconds. */
const DELETED_PER_STEP = 1_000;

interface ClaimOptions {
  /** The worker's id, with which its successor can take over the jobs. */
  owner?: string;
  /** The company that was served last: the next company has its turn. */
  after?: string | null;
  /** Only this company's jobs. */
  companyId?: string | null;
}

/**
 * Claims the jobs of one company's turn. Looks for expired leases when nothing else is due; a worker with a long queue
 * calls `requeueExpired` besides.
 * @returns null when no job is due
 */
export async function claimJobs(lane: Lane, options: ClaimOptions = {}): Promise<Claim | null> {
  const claim = await watchDatabase(claimDue(lane, options));
  if (claim) return claim;
  return (await requeueExpired()) > 0 ? claimDue(lane, options) : null;
}

async function claimDue(lane: Lane, options: ClaimOptions): Promise<Claim | null> {
  const { owner = null, after = null, companyId = null } = options;
  const token = randomUUID();
  const claimed = await claimDueJobs({
    lane,
    token,
    owner,
    after,
    companyId,
    leaseSeconds: LEASE_SECONDS,
    limit: JOBS_PER_CLAIM[lane],
    attemptsTogether: ATTEMPTS_TOGETHER,
    deferredMaxSeconds: DEFERRED_MAX_SECONDS,
  });
  const [first] = claimed;
  if (!first) return null;
  const held = claimed.map((job) => ({ ...job, leaseToken: token }));
  return { token, lane, kind: first.kind, companyId: first.companyId, jobs: held };
}

/** Makes the jobs available whose lease has expired. @returns how many */
export async function requeueExpired(): Promise<number> {
  return requeueExpiredJobs(LEASE_SECONDS, PAUSE_AFTER_LEASE_LOSSES_SECONDS);
}

/** Makes the jobs of a worker that died available immediately, to its successor. */
export async function requeueJobsOfDeadWorker(workerId: string): Promise<void> {
  await requeueJobsOf(workerId, PAUSE_AFTER_LEASE_LOSSES_SECONDS);
}

/** Extends the lease. @returns false when another worker has taken over the jobs */
export async function heartbeat(token: string): Promise<boolean> {
  return extendLease(token, LEASE_SECONDS);
}

/** Records progress that is lost with the worker, for people to see. */
export async function showProgress(job: Job, done: number, total: number): Promise<void> {
  await updateHeldJob(job, { progressDone: done, progressTotal: total });
}

/**
 * Records progress whose work is stored, and resets the count of lost leases: a job that makes progress does not kill its
 * worker.
 */
export async function reportProgress(job: Job, done: number, total: number): Promise<void> {
  await updateHeldJob(job, { progressDone: done, progressTotal: total, deaths: 0 });
}

/**
 * Records progress that no attempt made before, in work that needs the provider and the database: the outage that the job
 * waited out has ended. Reading a file again does not count.
 */
export async function reportNewProgress(job: Job, done: number, total: number): Promise<void> {
  if (recordsOutage(job.payload)) await keepPayload(job, NO_OUTAGE);
  await reportProgress(job, done, total);
}

/** A finished job no longer needs its payload, which may contain text of the company. */
const FINISHED = { state: "done", finishedAt: sql`now()`, lastError: null, payload: {}, ...NO_LEASE } as const;

export async function finishJob(job: Job): Promise<void> {
  await updateHeldJob(job, FINISHED);
}

/** Finishes jobs in the transaction that commits their work, which must be a `workScope`'s. */
export async function finishJobs(tx: Transaction, companyId: CompanyId, jobIds: string[]): Promise<void> {
  await tx
    .update(jobs)
    .set(FINISHED)
    .where(and(eq(jobs.companyId, companyId), sql`${jobs.id} = any(${uuidArray(jobIds)})`));
}

interface FailOptions {
  /** Whether the failure affected every job of the claim. */
  shared?: boolean;
  /** Runs in the same transaction if the job is not retried any more. */
  onFailed?: (tx: Transaction) => Promise<void>;
}

/**
 * Schedules the next try of a job, or fails it for good.
 * @returns whether it failed for good; false also when another worker has taken over the job, which then changes nothing
 */
export async function failJob(job: Job, failure: Failure, options: FailOptions = {}): Promise<boolean> {
  const { shared, onFailed } = options;
  return tenantScope(job.companyId).transaction(async (tx) => {
    const { inSeconds, attempts, payload } = nextTry(job, failure, { shared, now: await databaseTime(tx) });
    const final = inSeconds === null;
    const failed = await tx
      .update(jobs)
      .set({
        state: final ? "failed" : "queued",
        lastError: failure.reason,
        attempts,
        payload: final ? {} : payload,
        runAfter: final ? undefined : sql`now() + make_interval(secs => ${inSeconds})`,
        finishedAt: final ? sql`now()` : null,
        ...NO_LEASE,
      })
      .where(and(eq(jobs.companyId, job.companyId), isHeld(job)))
      .returning({ id: jobs.id });
    if (!final || failed.length === 0) return false;
    await onFailed?.(tx);
    return true;
  });
}

/** Workers on several machines must agree on how long something has been unavailable. */
async function databaseTime(tx: Transaction): Promise<number> {
  const [row] = await tx.execute<{ ms: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as ms`);
  return row?.ms ?? Date.now();
}

/**
 * Releases the jobs that a worker still holds, because it must stop or the turn has ended. The attempt does not count.
 */
export async function releaseJobs(token: string): Promise<void> {
  await releaseLease(token);
}

/** Releases a job that turned out to be long. */
export async function moveToSlowLane(job: Job): Promise<void> {
  await updateHeldJob(job, { state: "queued", lane: "slow", attempts: Math.max(0, job.attempts - 1), ...NO_LEASE });
}

/** Releases a job that lets all other jobs of its lane go first. */
export async function yieldJob(job: Job): Promise<void> {
  const runAfter = sql`now() + interval '1 second'`;
  await updateHeldJob(job, { state: "queued", runAfter, attempts: Math.max(0, job.attempts - 1), ...NO_LEASE });
}

/** Stores entries in the job's payload, for its next turn. */
export async function keepPayload(job: Job, payload: Job["payload"]): Promise<void> {
  job.payload = { ...job.payload, ...payload };
  await updateHeldJob(job, { payload: job.payload });
}

/** Counts the jobs that a worker could start now. */
export async function countDueJobs(): Promise<number> {
  return countDue(DEFERRED_MAX_SECONDS);
}

/** Deletes some of a company's jobs that finished more than `days` days ago. @returns whether there may be more */
export async function deleteFinishedJobs(tx: Transaction, companyId: CompanyId, days: number): Promise<boolean> {
  const own = eq(jobs.companyId, companyId);
  const expired = lt(jobs.finishedAt, sql`now() - make_interval(days => ${days})`);
  const some = tx.select({ id: jobs.id }).from(jobs).where(and(own, expired)).limit(DELETED_PER_STEP);
  const rows = await tx.delete(jobs).where(and(own, inArray(jobs.id, some)));
  return rows.count === DELETED_PER_STEP;
}
