import { isNotNull, sql } from "drizzle-orm";
import { boolean, date, index, integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { ADAPTERS, INTERFACES } from "../column-values.ts";
import type { KeyPolicy, LoggedResult, ReportEvent, RetrievalTrace } from "../stored-json.ts";
import { companyId, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

/** `manage`: a refused call that adds, lists or changes sources, or asks nothing. */
export const QUERY_ORIGINS = ["api", "playground", "cli", "manage"] as const;

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
    results: jsonb("results").$type<LoggedResult[]>().notNull().default([]),
    /** Null when none was requested, or when the company does not keep answers. */
    answer: text("answer"),
    /** The policy of the key at the time of the request; null without a key, and in older rows. */
    policy: jsonb("policy").$type<KeyPolicy>(),
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
    // the lists of requests with an error, without an answer or with a part missing, and of playground runs
    index("query_log_outcome")
      .on(table.companyId, table.at)
      .where(
        sql.join(
          [
            sql`${table.statusCode} >= 400`,
            sql`${table.total} = 0`,
            sql`${table.answered} = false`,
            sql`cardinality(${table.degraded}) > 0`,
            sql`${table.origin} = 'playground'`,
          ],
          sql` or `,
        ),
      ),
    // the last runs of a member
    index("query_log_member").on(table.companyId, table.userId, table.at).where(isNotNull(table.userId)),
  ],
);

/** The text of chunks that logged requests returned, so that a receipt can show it after the source has changed. */
export const returnedChunks = ragstone.table(
  "returned_chunks",
  {
    companyId: companyId(),
    /** The id of the chunk, whose text never changes. */
    id: uuid("id").notNull(),
    sourceId: uuid("source_id").notNull(),
    headings: text("headings").array().notNull().default([]),
    content: text("content").notNull(),
    /** When a request returned the chunk last; up to a day earlier. */
    returnedAt: instant("returned_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // deleted with the source, without a foreign key, so that a backup can read the tables at different times
    index("returned_chunks_source").on(table.companyId, table.sourceId),
    // expired texts
    index("returned_chunks_at").on(table.companyId, table.returnedAt),
  ],
);

/** Counts that outlive the query log. They measure the use of a subscription's allowance. */
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

/** Counts of the calls that add, list or change sources. They are not questions and do not use the allowance. */
export const knowledgeCallsDaily = ragstone.table(
  "knowledge_calls_daily",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    day: date("day").notNull(),
    apiKeyId: uuid("api_key_id").notNull(),
    via: text("via", { enum: INTERFACES }).notNull(),
    calls: integer("calls").notNull().default(0),
    /** How many of the calls were refused or failed. */
    errors: integer("errors").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day, table.apiKeyId, table.via] })],
);

/** An answer that a member reported as wrong. Resolved reports are kept as long as requests. */
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
    /** Null while the report is open. */
    resolvedAt: instant("resolved_at"),
    /** What happened to the report after it was sent, oldest first. */
    history: jsonb("history").$type<ReportEvent[]>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the reports of a request
    index("answer_reports_request").on(table.companyId, table.requestId),
  ],
);
