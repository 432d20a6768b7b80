import { randomUUID } from "node:crypto";
import { and, eq, inArray, lt, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { connection, type Transaction } from "../db/client.ts";
import { jobs } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import type { Failure } from "./failure.ts";
import type { Claim, Job, Lane } from "./job.ts";
import { ATTEMPTS_TOGETHER, DEFERRED_MAX_SECONDS, nextTry } from "./next-try.ts";

/** How long a silent worker keeps its jobs. All arithmetic of leases is done by the database's clock. */
export const LEASE_SECONDS = 20;
/** Leases on a job that may run out without progress between them; then the job is given up. */
export const DEATHS_MAX = 3;
/** A job that ended two workers may only have been there when they were killed: it waits until that is over. */
const WAIT_AFTER_DEATHS_SECONDS = 60;
const JOBS_PER_CLAIM = { quick: 64, slow: 1 };

export interface ClaimOptions {
  /** The worker, whose successor may take the jobs over. */
  owner?: string;
  /** The company that was served last: the next one has its turn. */
  after?: string | null;
  /** Only this company's jobs. */
  companyId?: string | null;
}

/**
 * Claims jobs of the next company that has some due, in the order of company ids and round again: each has its turn,
 * however many jobs another one has. Jobs that lost their worker are tried alone, after the others. Claiming is work
 * across companies, so it goes past the tenant scope.
 */
export async function claimJobs(lane: Lane, options: ClaimOptions = {}): Promise<Claim | null> {
  const { owner = null, after = null, companyId = null } = options;
  await requeueJobs(leaseRanOut);
  const token = randomUUID();
  const waiting = sql`state = 'queued' and lane = ${lane} and (run_after <= now() or ${deferredByClock})`;
  const nextCompany = (limits: SQL) =>
    sql`(select company_id from ragstone.jobs where ${waiting} and ${limits} order by company_id limit 1)`;
  const turn = companyId
    ? sql`${companyId}::uuid`
    : sql`coalesce(${nextCompany(after ? sql`company_id > ${after}::uuid` : sql`true`)}, ${nextCompany(sql`true`)})`;
  const rows = await connection().db.execute<{ id: string }>(sql`
    with due as materialized (
      select id, kind, deaths, attempts, created_at from ragstone.jobs
      where ${waiting} and company_id = (select ${turn})
      order by deaths, created_at, id limit ${JOBS_PER_CLAIM[lane]} for update skip locked
    ), first as (
      select kind, deaths > 0 or attempts >= ${ATTEMPTS_TOGETHER} as alone, id from due
      order by deaths, created_at, id limit 1
    ), chosen as (
      select due.id from due, first
      where due.id = first.id
        or (not first.alone and due.kind = first.kind and due.deaths = 0 and due.attempts < ${ATTEMPTS_TOGETHER})
    )
    update ragstone.jobs set state = 'running', attempts = attempts + 1, lease_token = ${token}, lease_owner = ${owner}::uuid,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (select id from chosen) returning id`);
  if (rows.length === 0) return null;
  const claimed = await connection()
    .db.select()
    .from(jobs)
    .where(and(eq(jobs.leaseToken, token), sql`${jobs.id} = any(${uuidArray(rows.map(({ id }) => id))})`))
    .orderBy(jobs.createdAt, jobs.id);
  const [first] = claimed;
  if (!first) return null;
  const own = claimed.map((job) => ({ ...job, leaseToken: token }));
  return { token, lane, kind: first.kind, companyId: first.companyId, jobs: own };
}

/** A lease longer than any that is given out: the database's clock was set back. */
const leaseRanOut = sql`(lease_until < now() or lease_until > now() + make_interval(secs => ${LEASE_SECONDS + 1}))`;
/** Later than any job is deferred to: likewise. */
const deferredByClock = sql`run_after > now() + make_interval(secs => ${DEFERRED_MAX_SECONDS + 1})`;

/** Gives back the jobs of a worker that has died, at once, to its successor. */
export async function takeOver(owner: string): Promise<void> {
  await requeueJobs(sql`lease_owner = ${owner}::uuid`);
}

/** Not those that their worker writes for at this moment, see `workScope`. */
async function requeueJobs(which: SQL): Promise<void> {
  await connection().db.execute(sql`
    update ragstone.jobs set state = 'queued', attempts = greatest(0, attempts - 1), deaths = deaths + 1,
      lease_token = null, lease_owner = null, lease_until = null,
      run_after = now() + make_interval(secs => case when deaths = 1 then ${WAIT_AFTER_DEATHS_SECONDS}::int else 0 end)
    where id in (select id from ragstone.jobs where state = 'running' and ${which} for update skip locked)`);
}

/** Prolongs the lease. @returns false when another worker has taken the jobs over */
export async function heartbeat(token: string): Promise<boolean> {
  const rows = await connection()
    .db.update(jobs)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(and(eq(jobs.leaseToken, token), eq(jobs.state, "running")))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** To be called when the job got further than before: what makes progress does not end its worker. */
export async function reportProgress(job: Job, done: number, total: number): Promise<void> {
  await update(job, { progressDone: done, progressTotal: total, deaths: 0 });
}

const noLease = { leaseToken: null, leaseOwner: null, leaseUntil: null };
const finished = { state: "done", finishedAt: sql`now()`, lastError: null, ...noLease } as const;

export async function finishJob(job: Job): Promise<void> {
  await update(job, finished);
}

/** Finishes jobs in the transaction that commits their work, which must be a `workScope`'s. */
export async function finishJobs(tx: Transaction, companyId: CompanyId, jobIds: string[]): Promise<void> {
  await tx
    .update(jobs)
    .set(finished)
    .where(and(eq(jobs.companyId, companyId), inArray(jobs.id, jobIds)));
}

interface FailOptions {
  /** Whether the failure affected every job of the claim. */
  shared?: boolean;
  /** Runs in the same transaction if the job is not retried any more. */
  onGivenUp?: (tx: Transaction) => Promise<void>;
}

/**
 * Schedules the next try of a job, or fails it for good.
 * @returns whether it failed for good; false also when another worker has taken over the job, which then changes nothing
 */
export async function failJob(job: Job, failure: Failure, options: FailOptions = {}): Promise<boolean> {
  const { shared, onGivenUp } = options;
  return tenantScope(job.companyId).transaction(async (tx) => {
    const { inSeconds, attempts, payload } = nextTry(job, failure, { shared, now: await databaseTime(tx) });
    const givenUp = inSeconds === null;
    const failed = await tx
      .update(jobs)
      .set({
        state: givenUp ? "failed" : "queued",
        lastError: failure.reason,
        attempts,
        payload,
        runAfter: givenUp ? undefined : sql`now() + make_interval(secs => ${inSeconds})`,
        finishedAt: givenUp ? sql`now()` : null,
        ...noLease,
      })
      .where(and(eq(jobs.companyId, job.companyId), held(job)))
      .returning({ id: jobs.id });
    if (!givenUp || failed.length === 0) return false;
    await onGivenUp?.(tx);
    return true;
  });
}

/** Workers on several machines must agree on how long something has been unavailable. */
async function databaseTime(tx: Transaction): Promise<number> {
  const [row] = await tx.execute<{ ms: number }>(sql`select (extract(epoch from now()) * 1000)::float8 as ms`);
  return row?.ms ?? Date.now();
}

/** Gives back what a worker still holds, when it is told to stop or another company has its turn; no attempt counts. */
export async function releaseJobs(token: string): Promise<void> {
  await connection()
    .db.update(jobs)
    .set({ state: "queued", attempts: sql`greatest(0, ${jobs.attempts} - 1)`, ...noLease })
    .where(and(eq(jobs.leaseToken, token), eq(jobs.state, "running")));
}

/** Gives a job back that turned out to be long. */
export async function moveToSlowLane(job: Job): Promise<void> {
  await update(job, { state: "queued", lane: "slow", attempts: Math.max(0, job.attempts - 1), ...noLease });
}

/** Keeps what the next turn at a job begins with. */
export async function keepPayload(job: Job, payload: Job["payload"]): Promise<void> {
  job.payload = { ...job.payload, ...payload };
  await update(job, { payload: job.payload });
}

async function update(job: Job, values: PgUpdateSetSource<typeof jobs>): Promise<void> {
  await connection().db.update(jobs).set(values).where(held(job));
}

/** Whoever lost a job's lease can no longer write to it. */
function held({ id, leaseToken }: Job): SQL | undefined {
  return and(eq(jobs.id, id), eq(jobs.leaseToken, leaseToken));
}

/** How many jobs could be done at this moment. */
export async function countDueJobs(): Promise<number> {
  const due = or(lte(jobs.runAfter, sql`now()`), deferredByClock);
  return connection().db.$count(jobs, and(eq(jobs.state, "queued"), due));
}

/** Deletes a company's jobs that finished more than `days` days ago. */
export async function deleteFinishedJobs(tx: Transaction, companyId: CompanyId, days: number): Promise<void> {
  const expired = lt(jobs.finishedAt, sql`now() - make_interval(days => ${days})`);
  await tx.delete(jobs).where(and(eq(jobs.companyId, companyId), expired));
}
