import { customType, pgSchema, timestamp, uuid } from "drizzle-orm/pg-core";

/** All tables are outside `public`, which Supabase serves over HTTP. */
export const ragstone = pgSchema("ragstone");

/** Raw bytes; postgres.js returns a Buffer. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});

/** A vector of any length: its model defines the dimensions. */
export const anyVector = customType<{ data: string }>({
  dataType: () => "vector",
});

export function createdAt() {
  return timestamp("created_at", { withTimezone: true }).notNull().defaultNow();
}

export function instant(name: string) {
  return timestamp(name, { withTimezone: true });
}

export function companyId() {
  return uuid("company_id").notNull();
}
