import { index, integer, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { GapKey, GapQuestion } from "../stored-json.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

/** Questions of the same meaning that were not answered or whose answer was reported, counted from the query log. */
export const questionGaps = ragstone.table(
  "question_gaps",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    /** The most frequent first. */
    questions: jsonb("questions").$type<GapQuestion[]>().notNull(),
    /** Unanswered requests. */
    times: integer("times").notNull(),
    /** Open reports. */
    reports: integer("reports").notNull(),
    /** The keys that asked, the most frequent first. */
    keys: jsonb("keys").$type<GapKey[]>().notNull(),
    lastAskedAt: instant("last_asked_at").notNull(),
    createdAt: createdAt(),
    /** The member to whom the questions are assigned. */
    assigneeId: uuid("assignee_id"),
    /** Hidden until this time. */
    snoozedUntil: instant("snoozed_until"),
    dismissedAt: instant("dismissed_at"),
    dismissedBy: text("dismissed_by"),
    dismissReason: text("dismiss_reason"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index("question_gaps_last_asked").on(table.companyId, table.lastAskedAt),
  ],
);
