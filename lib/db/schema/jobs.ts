import { sql } from "drizzle-orm";
import { index, integer, jsonb, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, ragstone } from "./columns.ts";

export const JOB_KINDS = ["ingest", "purge", "re-embed", "maintain", "test"] as const;
export const JOB_STATES = ["queued", "running", "done", "failed"] as const;
/** A worker runs jobs of both lanes at the same time, so that long jobs never delay short ones. */
export const JOB_LANES = ["quick", "slow"] as const;
/** The lane in which a job starts. A source that turns out to be large moves to the slow lane. */
export const FIRST_LANE = {
  ingest: "quick",
  purge: "slow",
  "re-embed": "slow",
  maintain: "slow",
  test: "slow",
} as const satisfies Record<(typeof JOB_KINDS)[number], (typeof JOB_LANES)[number]>;
/** The lane of jobs that wait for hours. No claim reads it: once due, they move to the slow lane. */
export const WAITING_LANE = "waiting" as const;

/** The columns of a job that no worker holds. */
export const NO_LEASE = { leaseToken: null, leaseOwner: null, leaseUntil: null } as const;

/** No foreign key to companies, because workers claim jobs across companies. */
export const jobs = ragstone.table(
  "jobs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: uuid("company_id").notNull(),
    kind: text("kind", { enum: JOB_KINDS }).notNull(),
    /** Subject of the job: a version's id for `ingest`, a source's id for `purge`, a run's id for `test`. */
    subjectId: uuid("subject_id"),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull().default({}),
    state: text("state", { enum: JOB_STATES }).notNull().default("queued"),
    lane: text("lane", { enum: [...JOB_LANES, WAITING_LANE] })
      .notNull()
      .default("quick"),
    attempts: integer("attempts").notNull().default(0),
    /** How often the job's lease expired since its last progress: its worker died, hung or was paused. */
    deaths: integer("deaths").notNull().default(0),
    runAfter: instant("run_after").notNull().defaultNow(),
    leaseUntil: instant("lease_until"),
    /** Identifies the lease: a worker that lost its lease can no longer write. */
    leaseToken: uuid("lease_token"),
    /** The worker that holds the lease, so that its successor can take over the jobs immediately. */
    leaseOwner: uuid("lease_owner"),
    progressDone: integer("progress_done").notNull().default(0),
    progressTotal: integer("progress_total").notNull().default(0),
    lastError: text("last_error"),
    createdAt: createdAt(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    // the next company of a lane, and its next job
    index("jobs_queued")
      .on(table.lane, table.companyId, table.deaths, table.createdAt, table.id)
      .where(sql`${table.state} = 'queued'`),
    // waiting jobs that are due
    index("jobs_waiting").on(table.runAfter).where(sql`${table.state} = 'queued' and ${table.lane} = 'waiting'`),
    // expired leases
    index("jobs_running").on(table.leaseUntil).where(sql`${table.state} = 'running'`),
    // the jobs of a company, and the job of a version
    index("jobs_company").on(table.companyId, table.kind, table.subjectId),
  ],
);
