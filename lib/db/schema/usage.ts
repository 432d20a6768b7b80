import { isNotNull } from "drizzle-orm";
import { boolean, date, index, integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { ADAPTERS } from "../column-values.ts";
import type { RetrievalTrace } from "../stored-json.ts";
import { companyId, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export const QUERY_ORIGINS = ["api", "playground", "cli"] as const;

/** One row per request; never contains the context fields. */
export const queryLog = ragstone.table(
  "query_log",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    /** The request id that the caller got in `X-Request-Id`. */
    id: uuid("id").notNull(),
    at: instant("at").notNull().defaultNow(),
    origin: text("origin", { enum: QUERY_ORIGINS }).notNull(),
    /** The adapter that took the request; null for the native routes. */
    via: text("via", { enum: ADAPTERS }),
    apiKeyId: uuid("api_key_id"),
    userId: uuid("user_id"),
    /** Null when the company stores only hashes of queries. */
    queryText: text("query_text"),
    queryHash: text("query_hash"),
    request: jsonb("request").$type<Record<string, unknown>>().notNull().default({}),
    results: jsonb("results")
      .$type<{ id: string; sourceId: string; title?: string; score: number }[]>()
      .notNull()
      .default([]),
    trace: jsonb("trace").$type<RetrievalTrace>(),
    stages: jsonb("stages").$type<Record<string, number>>().notNull().default({}),
    total: integer("total").notNull().default(0),
    durationMs: integer("duration_ms").notNull().default(0),
    statusCode: integer("status_code").notNull(),
    error: text("error"),
    degraded: text("degraded").array().notNull().default([]),
    /** Null when the request did not ask for an answer. */
    answered: boolean("answered"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the log, newest first, and the charts
    index("query_log_at").on(table.companyId, table.at),
    index("query_log_key").on(table.companyId, table.apiKeyId, table.at),
    // the last runs of a member
    index("query_log_member").on(table.companyId, table.userId, table.at).where(isNotNull(table.userId)),
  ],
);

/** Counts that outlive the query log: the allowance of a subscription is measured by them. */
export const usageDaily = ragstone.table(
  "usage_daily",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    day: date("day").notNull(),
    requests: integer("requests").notNull().default(0),
    errors: integer("errors").notNull().default(0),
    answers: integer("answers").notNull().default(0),
    unanswered: integer("unanswered").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day] })],
);

/** An answer that a member reported as wrong in the playground. */
export const answerReports = ragstone.table(
  "answer_reports",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    requestId: uuid("request_id").notNull(),
    userId: uuid("user_id").notNull(),
    question: text("question").notNull(),
    answer: text("answer").notNull(),
    note: text("note").notNull().default(""),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);
