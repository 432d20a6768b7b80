import { and, eq, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { connection } from "../client.ts";
import { FIRST_LANE, jobs, NO_LEASE } from "../schema/index.ts";
import { uuidArray } from "../sql.ts";

type JobRow = typeof jobs.$inferSelect;

/** What a worker needs of the jobs that it claims. */
const CLAIMED = {
  id: jobs.id,
  companyId: jobs.companyId,
  kind: jobs.kind,
  subjectId: jobs.subjectId,
  payload: jobs.payload,
  attempts: jobs.attempts,
  deaths: jobs.deaths,
  progressDone: jobs.progressDone,
  createdAt: jobs.createdAt,
};
type ClaimedJob = Pick<JobRow, keyof typeof CLAIMED>;

/** Which jobs a worker claims. */
interface ClaimRequest {
  lane: JobRow["lane"];
  token: string;
  leaseSeconds: number;
  /** Largest number of jobs. */
  limit: number;
  /** A job with this many attempts is claimed alone. */
  attemptsTogether: number;
  /** The longest time that a job is deferred. */
  deferredMaxSeconds: number;
  owner: string | null;
  /** The company that was served last. */
  after: string | null;
  /** Only this company's jobs, if given. */
  companyId: string | null;
}

/**
 * Claims jobs of the next company with due jobs, in the order of company ids, starting again after the last. Companies
 * take turns, however many jobs each has. Jobs that lost their worker are claimed alone, after the others.
 */
export async function claimDueJobs(request: ClaimRequest): Promise<ClaimedJob[]> {
  const claimed = await claimStatement(request);
  return claimed.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** The statement of `claimDueJobs`. */
export function claimStatement(request: ClaimRequest) {
  const { lane, token, leaseSeconds, limit, attemptsTogether, owner, after, companyId } = request;
  const due = sql`state = 'queued' and lane = ${lane}
    and (run_after <= now() or ${deferredByClock(request.deferredMaxSeconds)})`;
  // ordered by deaths too, or it may read an index that has the finished jobs as well
  const nextCompany = (limits: SQL) =>
    sql`(select company_id from ragstone.jobs where ${due} and ${limits} order by company_id, deaths limit 1)`;
  const turn = companyId
    ? sql`${companyId}::uuid`
    : sql`coalesce(${nextCompany(after ? sql`company_id > ${after}::uuid` : sql`true`)}, ${nextCompany(sql`true`)})`;
  const chosen = sql`(
    with due as materialized (
      select ctid as address, id, kind, deaths, created_at, deaths > 0 or attempts >= ${attemptsTogether} as alone
      from ragstone.jobs where ${due} and company_id = (select ${turn})
      order by deaths, created_at, id limit ${limit} for update skip locked
    ), first as (select id, kind, alone from due order by deaths, created_at, id limit 1)
    select address from due, first
    where due.id = first.id or (not due.alone and not first.alone and due.kind = first.kind))`;
  return (
    connection()
      .db.update(jobs)
      .set({
        state: "running",
        attempts: sql`${jobs.attempts} + 1`,
        leaseToken: token,
        leaseOwner: owner,
        leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})`,
      })
      // looking each job up by its id again would add a fifth to the time of the claim
      .where(sql`ctid = any(array${chosen})`)
      .returning(CLAIMED)
  );
}

/**
 * Requeues the jobs whose lease has expired, and moves waiting jobs that are due to the slow lane.
 * @param pauseSeconds the wait of a job that has lost two workers
 * @returns how many
 */
export async function requeueExpiredJobs(leaseSeconds: number, pauseSeconds: number): Promise<number> {
  // a lease longer than any that is given out: the database's clock was set back
  const requeued = await requeue(
    sql`(lease_until < now() or lease_until > now() + make_interval(secs => ${leaseSeconds + 1}))`,
    pauseSeconds,
  );
  return requeued + (await endWaiting());
}

/** Few, so that the embedded database can run other statements in between. */
const MOVED_AT_ONCE = 1_000;

async function endWaiting(): Promise<number> {
  const rows = await connection().db.execute(sql`
    update ragstone.jobs set lane = 'slow' where id in (
      select id from ragstone.jobs where state = 'queued' and lane = 'waiting' and run_after <= now()
      order by run_after limit ${MOVED_AT_ONCE} for update skip locked)`);
  return rows.count;
}

/** Requeues the jobs that a worker held. */
export async function requeueJobsOf(owner: string, pauseSeconds: number): Promise<void> {
  await requeue(sql`lease_owner = ${owner}::uuid`, pauseSeconds);
}

/** Skips the jobs for which a worker is in a transaction at this moment. */
async function requeue(which: SQL, pauseSeconds: number): Promise<number> {
  const rows = await connection().db.execute(sql`
    update ragstone.jobs set state = 'queued', attempts = greatest(0, attempts - 1), deaths = deaths + 1,
      lease_token = null, lease_owner = null, lease_until = null,
      run_after = now() + make_interval(secs => case when deaths = 1 then ${pauseSeconds}::int else 0 end)
    where id in (select id from ragstone.jobs where state = 'running' and ${which} for update skip locked)`);
  return rows.count;
}

/** @returns whether any job is still held with this lease */
export async function extendLease(token: string, seconds: number): Promise<boolean> {
  const rows = await connection()
    .db.update(jobs)
    .set({ leaseUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(and(eq(jobs.leaseToken, token), eq(jobs.state, "running")))
    .returning({ id: jobs.id });
  return rows.length > 0;
}

/** Requeues what is still held with this lease. No attempt is counted. */
export async function releaseLease(token: string): Promise<void> {
  await connection()
    .db.update(jobs)
    .set({ state: "queued", attempts: sql`greatest(0, ${jobs.attempts} - 1)`, ...NO_LEASE })
    .where(and(eq(jobs.leaseToken, token), eq(jobs.state, "running")));
}

/** Changes nothing when the job's lease is lost. */
export async function updateHeldJob(job: HeldJob, values: PgUpdateSetSource<typeof jobs>): Promise<void> {
  await connection().db.update(jobs).set(values).where(isHeld(job));
}

type HeldJob = Pick<JobRow, "id"> & { leaseToken: string };

/** Condition of every write to a claimed job: a worker that lost the lease can no longer write. */
export function isHeld({ id, leaseToken }: HeldJob): SQL | undefined {
  return and(eq(jobs.id, id), eq(jobs.leaseToken, leaseToken));
}

/** Counts the jobs that a worker could start now. */
export async function countDue(deferredMaxSeconds: number): Promise<number> {
  const due = or(lte(jobs.runAfter, sql`now()`), deferredByClock(deferredMaxSeconds));
  return connection().db.$count(jobs, and(eq(jobs.state, "queued"), due));
}

/**
 * Later than any job is deferred to: the database's clock was set back. The purge of a deleted source is meant to wait,
 * until the source can no longer be restored.
 */
function deferredByClock(maxSeconds: number): SQL {
  return sql`(kind <> 'purge' and run_after > now() + make_interval(secs => ${maxSeconds + 1}))`;
}

/**
 * Adds a job for every company that got none of this kind in this hour. Skips companies that are being deleted. A job
 * that is later than this hour does not count: the database's clock was set back.
 */
export async function enqueueHourly(kind: JobRow["kind"]): Promise<void> {
  await connection().db.execute(sql`
    insert into ragstone.jobs (company_id, kind, lane)
    select id, ${kind}, ${FIRST_LANE[kind]} from ragstone.companies
    where not exists (
      select from ragstone.jobs where company_id = companies.id and kind = ${kind}
        and date_trunc('hour', created_at) = date_trunc('hour', now()))
    for key share`);
}

/** Adds a job for a company that has no unfinished one of this kind. */
export async function enqueueOnce(companyId: string, kind: JobRow["kind"]): Promise<void> {
  await connection().db.execute(sql`
    insert into ragstone.jobs (company_id, kind, lane) select id, ${kind}, ${FIRST_LANE[kind]} from ragstone.companies
    where id = ${companyId} and not exists (
      select from ragstone.jobs where company_id = ${companyId} and kind = ${kind} and state in ('queued', 'running'))
    for key share`);
}

/**
 * Adds a test run for every company whose knowledge, test questions or retrieval settings changed since its last run,
 * once nothing has changed for `quietSeconds` and no source is being processed. Ignores changes and runs that are later
 * than now: the database's clock was set back.
 */
export async function enqueueTestRuns(quietSeconds: number): Promise<void> {
  const { db } = connection();
  const companiesToTest = await db.execute<{ id: string }>(sql`
    select id from (
      select c.id, greatest(
          (select max(updated_at) from ragstone.sources where company_id = asked.company_id and updated_at <= now()),
          (select max(updated_at) from ragstone.test_questions
            where company_id = asked.company_id and updated_at <= now()),
          case when c.retrieval_changed_at <= now() then c.retrieval_changed_at end) as changed_at,
        (select max(created_at) from ragstone.test_runs
          where company_id = asked.company_id and created_at <= now()) as tested_at
      from (select distinct company_id from ragstone.test_questions) asked
      join ragstone.companies c on c.id = asked.company_id) changed
    where changed_at < now() - make_interval(secs => ${quietSeconds}) and changed_at > coalesce(tested_at, '-infinity')`);
  if (companiesToTest.length === 0) return;
  // apart from the rows of companies, which a distributed database has on other servers
  await db.execute(sql`
    insert into ragstone.jobs (company_id, kind, lane)
    select id, 'test', ${FIRST_LANE.test} from ragstone.companies c
    where id = any(${uuidArray(companiesToTest.map(({ id }) => id))}) and not exists (select from ragstone.jobs
      where company_id = c.id and kind in ('ingest', 're-embed', 'test') and state in ('queued', 'running'))
    for key share of c`);
}
