import { index, integer, jsonb, text, uuid } from "drizzle-orm/pg-core";
import { createdAt, instant, ragstone } from "./columns.ts";

export const JOB_KINDS = ["ingest", "purge", "re-embed", "maintain"] as const;
export const JOB_STATES = ["queued", "running", "done", "failed"] as const;

/** A local table, claimed across companies, so it has no foreign key to theirs. */
export const jobs = ragstone.table(
  "jobs",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: uuid("company_id").notNull(),
    kind: text("kind", { enum: JOB_KINDS }).notNull(),
    /** What the job is about: a version's id for `ingest`, a source's for `purge`. */
    subjectId: uuid("subject_id"),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull().default({}),
    state: text("state", { enum: JOB_STATES }).notNull().default("queued"),
    attempts: integer("attempts").notNull().default(0),
    runAfter: instant("run_after").notNull().defaultNow(),
    leaseUntil: instant("lease_until"),
    /** Who holds the lease: a worker whose lease was taken over can no longer write. */
    leaseToken: uuid("lease_token"),
    progressDone: integer("progress_done").notNull().default(0),
    progressTotal: integer("progress_total").notNull().default(0),
    lastError: text("last_error"),
    createdAt: createdAt(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    // the next job to claim
    index("jobs_due").on(table.state, table.runAfter),
    // the jobs of a company, and the one of a version
    index("jobs_company").on(table.companyId, table.kind, table.subjectId),
  ],
);
