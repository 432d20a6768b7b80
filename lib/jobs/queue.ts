import { randomUUID } from "node:crypto";
import { and, eq, lte, sql } from "drizzle-orm";
import { connection, type Transaction } from "../db/client.ts";
import { jobs, sourceVersions } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import { tenantScope } from "../db/tenant.ts";
import type { Failure } from "./failure.ts";
import { ATTEMPTS_TOGETHER, nextTry } from "./next-try.ts";

/** How long a silent worker keeps its jobs. */
export const LEASE_SECONDS = 60;
/** Ends of its worker that no job survives; a worker may be killed for other reasons than its job. */
export const DEATHS_MAX = 25;

export type Job = typeof jobs.$inferSelect;

/** Jobs of one kind and one company, held under one lease. */
export interface Claim {
  token: string;
  kind: Job["kind"];
  companyId: string;
  jobs: Job[];
}

/**
 * Claims the job that is due the longest, with up to `limit` of its kind and company in all. Jobs whose lease ran out
 * are due again. Claiming is work across companies, so it goes past the tenant scope.
 * @param companyId only this company's jobs
 */
export async function claimJobs(limit: number, companyId: string | null = null): Promise<Claim | null> {
  const token = randomUUID();
  const rows = await connection().db.execute<{ id: string }>(sql`
    with due as (
      select id, company_id, kind, created_at, attempts from ragstone.jobs
      where ((state = 'queued' and run_after <= now()) or (state = 'running' and lease_until < now()))
        and (${companyId}::uuid is null or company_id = ${companyId}::uuid)
      order by created_at, id limit 1000
    ), first as (
      select id, company_id, kind, case when attempts < ${ATTEMPTS_TOGETHER} then ${limit}::int else 1 end as places
      from due order by created_at, id limit 1
    ), chosen as (
      select jobs.id from ragstone.jobs
      join first on first.company_id = jobs.company_id and first.kind = jobs.kind
      where jobs.id in (select id from due) and (jobs.attempts < ${ATTEMPTS_TOGETHER} or jobs.id = first.id)
      order by jobs.created_at, jobs.id limit (select places from first)
      for update of jobs skip locked
    )
    update ragstone.jobs set state = 'running', attempts = attempts + 1, lease_token = ${token},
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (select id from chosen) returning id`);
  if (rows.length === 0) return null;
  const claimed = await connection()
    .db.select()
    .from(jobs)
    .where(and(eq(jobs.leaseToken, token), sql`${jobs.id} = any(${uuidArray(rows.map(({ id }) => id))})`))
    .orderBy(jobs.createdAt, jobs.id);
  const [first] = claimed;
  return first ? { token, kind: first.kind, companyId: first.companyId, jobs: claimed } : null;
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

export async function reportProgress(id: string, token: string, done: number, total: number): Promise<void> {
  await connection()
    .db.update(jobs)
    .set({ progressDone: done, progressTotal: total })
    .where(and(eq(jobs.id, id), eq(jobs.leaseToken, token)));
}

export async function finishJob(id: string, token: string): Promise<void> {
  await connection()
    .db.update(jobs)
    .set({ state: "done", finishedAt: sql`now()`, leaseToken: null, leaseUntil: null, lastError: null })
    .where(and(eq(jobs.id, id), eq(jobs.leaseToken, token)));
}

/**
 * Puts a job off until its next try, or gives it up. A version whose job is given up has failed with it, so that nothing
 * waits for what nobody does.
 * @param options.shared the failure met all jobs of the claim
 * @returns whether it is over; false too when another worker has taken the job over, whose business it is now
 */
export async function failJob(
  job: Job,
  token: string,
  failure: Failure,
  options: { shared?: boolean } = {},
): Promise<boolean> {
  const { inSeconds, attempts, payload } = nextTry(job, failure, options);
  const over = inSeconds === null;
  return tenantScope(job.companyId).transaction(async (tx) => {
    const held = await tx
      .update(jobs)
      .set({
        state: over ? "failed" : "queued",
        lastError: failure.reason,
        attempts,
        payload,
        runAfter: over ? undefined : sql`now() + make_interval(secs => ${inSeconds})`,
        finishedAt: over ? sql`now()` : null,
        leaseToken: null,
        leaseUntil: null,
      })
      .where(and(eq(jobs.companyId, job.companyId), eq(jobs.id, job.id), eq(jobs.leaseToken, token)))
      .returning({ id: jobs.id });
    if (!over || held.length === 0) return false;
    if (job.kind === "ingest" && job.subjectId) await failVersion(tx, job.companyId, job.subjectId, failure.shown);
    return true;
  });
}

async function failVersion(tx: Transaction, companyId: string, versionId: string, error: string): Promise<void> {
  const { companyId: company, id, state } = sourceVersions;
  await tx
    .update(sourceVersions)
    .set({ state: "failed", error })
    .where(and(eq(company, companyId), eq(id, versionId), eq(state, "building")));
}

/** Gives jobs back at once, when the worker is told to stop; the attempt does not count. */
export async function releaseJobs(token: string): Promise<void> {
  await connection()
    .db.update(jobs)
    .set({ state: "queued", attempts: sql`greatest(0, ${jobs.attempts} - 1)`, leaseToken: null, leaseUntil: null })
    .where(and(eq(jobs.leaseToken, token), eq(jobs.state, "running")));
}

/** How many jobs could be done at this moment. */
export async function countDueJobs(): Promise<number> {
  return connection().db.$count(jobs, and(eq(jobs.state, "queued"), lte(jobs.runAfter, sql`now()`)));
}
