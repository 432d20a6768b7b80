import { isNull } from "drizzle-orm";
import { index, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { SuggestedContent } from "../stored-json.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export const SUGGESTION_DECISIONS = ["accepted", "declined"] as const;

/** Texts that members suggest. They are not searched until an admin accepts them. */
export const suggestions = ragstone.table(
  "suggestions",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    /** The source to change; null for a new question. Deleted with it, without a foreign key, as `returned_chunks`. */
    sourceId: uuid("source_id"),
    content: jsonb("content").$type<SuggestedContent>().notNull(),
    /** For the admin: why. */
    note: text("note").notNull().default(""),
    /** The request that showed the problem. */
    requestId: uuid("request_id"),
    userId: uuid("user_id").notNull(),
    createdAt: createdAt(),
    /** Null while the suggestion is open. */
    decision: text("decision", { enum: SUGGESTION_DECISIONS }),
    decidedAt: instant("decided_at"),
    decidedBy: text("decided_by"),
    /** Why it was declined. */
    reason: text("reason"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // the count in the navigation
    index("suggestions_open").on(table.companyId, table.createdAt).where(isNull(table.decision)),
    index("suggestions_source").on(table.companyId, table.sourceId),
  ],
);
