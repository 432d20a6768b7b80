import { boolean, text, uuid } from "drizzle-orm/pg-core";
import { instant, ragstone } from "./columns.ts";

/** The processes that do jobs. Each renews its row every few seconds; a row that grows old is of one that died. */
export const workers = ragstone.table("workers", {
  id: uuid("id").primaryKey(),
  /** The embedding model; null until it is known. */
  model: text("model"),
  /** A run of the command line, which ends when nothing is due. */
  untilIdle: boolean("until_idle").notNull().default(false),
  startedAt: instant("started_at").notNull().defaultNow(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});
