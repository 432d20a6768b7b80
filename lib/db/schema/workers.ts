import { boolean, text, uuid } from "drizzle-orm/pg-core";
import { instant, ragstone } from "./columns.ts";

/** The processes that run jobs. Each renews its row every few seconds; an old row belongs to a worker that died. */
export const workers = ragstone.table("workers", {
  id: uuid("id").primaryKey(),
  /** The embedding model; null until it is known. */
  model: text("model"),
  /** A command-line run, which exits when no job is due. */
  untilIdle: boolean("until_idle").notNull().default(false),
  startedAt: instant("started_at").notNull().defaultNow(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});
