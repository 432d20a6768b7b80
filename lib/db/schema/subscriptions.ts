import { boolean, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { SUBSCRIPTION_STATUSES } from "../column-values.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export { SUBSCRIPTION_STATUSES };

export const subscriptions = ragstone.table("subscriptions", {
  companyId: companyId()
    .primaryKey()
    .references(() => companies.id, { onDelete: "cascade" }),
  status: text("status", { enum: SUBSCRIPTION_STATUSES }).notNull().default("ACTIVE"),
  plan: text("plan").notNull().default("unlimited"),
  pastDueSince: instant("past_due_since"),
  /** Start of the period for which the allowance is counted. */
  currentPeriodStart: instant("current_period_start").notNull().defaultNow(),
  /** Null: open-ended. */
  currentPeriodEnd: instant("current_period_end"),
  cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

export const subscriptionHistory = ragstone.table(
  "subscription_history",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    status: text("status", { enum: SUBSCRIPTION_STATUSES }).notNull(),
    plan: text("plan").notNull(),
    currentPeriodEnd: instant("current_period_end"),
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull(),
    /** What happened, as text: "Cancelled at the end of the period". */
    event: text("event").notNull(),
    actor: text("actor").notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);
