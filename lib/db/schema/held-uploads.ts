import { integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

/** Files that were uploaded to become sources. The rows are deleted after a while. */
export const heldUploads = ragstone.table(
  "held_uploads",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    /** A source that is made from the upload gets the same id. Sorted, the ids are in the order of the uploads. */
    id: uuid("id").notNull().defaultRandom(),
    /** Only this key sees the upload; null when no key uploaded it. */
    apiKeyId: uuid("api_key_id"),
    fileName: text("file_name").notNull(),
    /** The purpose that the caller gave; returned unchanged, and not used. */
    purpose: text("purpose").notNull(),
    storageKey: text("storage_key").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: text("sha256").notNull(),
    /** The source that was made from the upload, so that attaching it again changes that source; null before. */
    attachedTo: uuid("attached_to"),
    createdAt: createdAt(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.id] })],
);
