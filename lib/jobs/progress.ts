import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { jobs } from "../db/schema/index.ts";
import { uuidArray } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Subjects } from "./job.ts";

/** An outage shorter than this is not reported to people who wait for a job. */
const REPORTED_AFTER_SECONDS = 30;

const isUnfinished = inArray(jobs.state, ["queued", "running"]);

/** Start of the outage that a job waits out, in milliseconds since 1970; jobs of earlier releases call it `awaySince`. */
const unavailableSince = sql`coalesce(${jobs.payload} ->> 'unavailableSince', ${jobs.payload} ->> 'awaySince')::float8`;

const isDeferred = sql`(${jobs.state} = 'queued' and ${unavailableSince} is not null)`;

/** How far a job is: `done` of `total` chunks, 0 of 0 before it starts. */
export interface JobProgress {
  running: boolean;
  done: number;
  total: number;
  /** Why the job is deferred: what is unavailable. Null otherwise. */
  waitsFor: string | null;
}

/** The progress of unfinished jobs, by subject. */
export async function jobProgress(tx: Transaction, companyId: CompanyId, subjects: Subjects) {
  if (subjects.subjectIds.length === 0) return new Map<string, JobProgress>();
  const rows = await tx
    .select({
      id: jobs.subjectId,
      state: jobs.state,
      done: jobs.progressDone,
      total: jobs.progressTotal,
      waitsFor: sql<string | null>`case when ${isDeferred} then ${jobs.lastError} end`,
    })
    .from(jobs)
    .where(unfinishedOf(companyId, subjects));
  return new Map(
    rows.map(({ id, state, done, total, waitsFor }): [string, JobProgress] => [
      id ?? "",
      { running: state === "running", done, total, waitsFor },
    ]),
  );
}

/** Counts the subjects with unfinished jobs, and among them those whose jobs wait out an outage of some duration. */
export async function countUnfinished(tx: Transaction, companyId: CompanyId, subjects: Subjects) {
  const reported = sql`(extract(epoch from now()) - ${REPORTED_AFTER_SECONDS}) * 1000`;
  const [row] = await tx
    .select({
      unfinished: sql<number>`count(distinct ${jobs.subjectId})::int`,
      deferred: sql<number>`(count(distinct ${jobs.subjectId}) filter (
        where ${isDeferred} and ${jobs.runAfter} > now() and ${unavailableSince} < ${reported}))::int`,
    })
    .from(jobs)
    .where(unfinishedOf(companyId, subjects));
  return row ?? { unfinished: 0, deferred: 0 };
}

/** Counts all unfinished jobs of a company. */
export async function countUnfinishedJobs(tx: Transaction, companyId: CompanyId): Promise<number> {
  return tx.$count(jobs, and(eq(jobs.companyId, companyId), isUnfinished));
}

/**
 * The subjects that have no unfinished job. A query of its own: once the database is distributed, jobs and the rows of
 * companies are on different servers.
 */
export async function withoutUnfinishedJob(tx: Transaction, companyId: CompanyId, subjects: Subjects) {
  if (subjects.subjectIds.length === 0) return [];
  const rows = await tx.selectDistinct({ id: jobs.subjectId }).from(jobs).where(unfinishedOf(companyId, subjects));
  const unfinished = new Set(rows.map(({ id }) => id));
  return subjects.subjectIds.filter((id) => !unfinished.has(id));
}

function unfinishedOf(companyId: CompanyId, { kind, subjectIds }: Subjects): SQL | undefined {
  return and(
    eq(jobs.companyId, companyId),
    eq(jobs.kind, kind),
    isUnfinished,
    sql`${jobs.subjectId} = any(${uuidArray(subjectIds)})`,
  );
}
