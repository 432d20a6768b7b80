import { index, integer, jsonb, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { KEY_SCOPES } from "../column-values.ts";
import type { KeyPolicy } from "../stored-json.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export const apiKeys = ragstone.table(
  "api_keys",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    name: text("name").notNull(),
    /** SHA-256 of the whole token, hex. */
    hash: text("hash").notNull(),
    last4: text("last4").notNull(),
    scopes: text("scopes", { enum: KEY_SCOPES }).array().notNull().default(["retrieve"]),
    policy: jsonb("policy").$type<KeyPolicy>().notNull().default({}),
    rateLimitPerMinute: integer("rate_limit_per_minute"),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    /** The key that replaced this key in a rotation. */
    replacedById: uuid("replaced_by_id"),
    lastUsedAt: instant("last_used_at"),
    /** Id of a member; null for a key made on the command line. */
    createdBy: uuid("created_by"),
    createdAt: createdAt(),
  },
  (table) => [
    // every API request looks up its key by the hash
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_company").on(table.companyId, table.createdAt),
  ],
);
