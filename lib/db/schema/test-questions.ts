import { boolean, index, integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { TEST_STATES } from "../column-values.ts";
import type { RetrievalSettings } from "../stored-json.ts";
import type { TestOutcome, TrialOutcome } from "../stored-tests.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

/** A question with what its results or its answer must show, and the outcome of its last run. */
export const testQuestions = ragstone.table(
  "test_questions",
  {
    companyId: companyId().references(() => companies.id, { onDelete: "cascade" }),
    id: uuid("id").notNull().defaultRandom(),
    question: text("question").notNull(),
    /** The key whose policy applies; null for everyone. */
    apiKeyId: uuid("api_key_id"),
    /** The filters of the request, as the API takes them. */
    filters: jsonb("filters").$type<Record<string, unknown>>().notNull().default({}),
    /** The caller's identifier of a source that must be among the results. */
    expectedSource: text("expected_source"),
    /** The caller's identifier of a source that must not be among the results. */
    excludedSource: text("excluded_source"),
    /** The answer must state all of these. `|` separates alternatives. */
    facts: text("facts").array().notNull().default([]),
    mustRefuse: boolean("must_refuse").notNull().default(false),
    /** The request that the question comes from. */
    requestId: uuid("request_id"),
    createdAt: createdAt(),
    /** When the question, or what it expects, last changed. */
    updatedAt: instant("updated_at").notNull().defaultNow(),
    /** Null before the first run. */
    state: text("state", { enum: TEST_STATES }),
    /** What the last run showed; null before the first run. */
    outcome: jsonb("outcome").$type<TestOutcome>(),
    checkedAt: instant("checked_at"),
    /** When the question last passed. */
    passedAt: instant("passed_at"),
    /** When it first failed after that; null while it passes. */
    failedAt: instant("failed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the list, and the last change
    index("test_questions_updated").on(table.companyId, table.updatedAt, table.id),
  ],
);

/** A run of all test questions. */
export const testRuns = ragstone.table(
  "test_runs",
  {
    companyId: companyId().references(() => companies.id, { onDelete: "cascade" }),
    id: uuid("id").notNull().defaultRandom(),
    createdAt: createdAt(),
    /** Null until the run ends. */
    finishedAt: instant("finished_at"),
    /** Who started the run; null for a run after a change. */
    startedBy: text("started_by"),
    total: integer("total").notNull().default(0),
    passed: integer("passed").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** Whether each question passed so far, by its id; null when it could not be asked. */
    outcomes: jsonb("outcomes").$type<Record<string, boolean | null>>().notNull().default({}),
    /** Why the run could not be finished, in a message for people. */
    error: text("error"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the newest runs
    index("test_runs_created").on(table.companyId, table.createdAt),
  ],
);

/** A trial of retrieval settings on the test questions. */
export const retrievalTrials = ragstone.table(
  "retrieval_trials",
  {
    companyId: companyId().references(() => companies.id, { onDelete: "cascade" }),
    id: uuid("id").notNull().defaultRandom(),
    createdAt: createdAt(),
    /** The name of the admin who tried them. */
    triedBy: text("tried_by").notNull(),
    /** The settings that were saved at the time. */
    saved: jsonb("saved").$type<RetrievalSettings>().notNull(),
    proposed: jsonb("proposed").$type<RetrievalSettings>().notNull(),
    outcome: jsonb("outcome").$type<TrialOutcome>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the newest trials
    index("retrieval_trials_created").on(table.companyId, table.createdAt),
  ],
);
