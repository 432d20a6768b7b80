import { jsonb, text } from "drizzle-orm/pg-core";
import { ragstone } from "./columns.ts";

/** Facts about the installation: whether the sample was created, the hash of the set-up code. */
export const meta = ragstone.table("meta", {
  key: text("key").primaryKey(),
  value: jsonb("value").$type<unknown>().notNull(),
});
