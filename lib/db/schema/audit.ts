import { sql } from "drizzle-orm";
import { index, jsonb, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { companyId, createdAt, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export const ACTOR_TYPES = ["user", "api_key", "cli", "system"] as const;

/** Who changed what; written in the transaction of the change. */
export const auditLog = ragstone.table(
  "audit_log",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    actorType: text("actor_type", { enum: ACTOR_TYPES }).notNull(),
    actorId: uuid("actor_id"),
    actorName: text("actor_name").notNull(),
    action: text("action").notNull(),
    targetType: text("target_type").notNull(),
    targetId: text("target_id").notNull(),
    targetName: text("target_name").notNull(),
    detail: jsonb("detail").$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index("audit_log_at").on(table.companyId, table.createdAt),
    // the last change of several sources' labels
    index("audit_log_relabelled")
      .on(table.companyId, table.createdAt)
      .where(sql`${table.action} = 'knowledge.relabelled' and ${table.targetType} = 'sources'`),
  ],
);
