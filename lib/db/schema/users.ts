import { boolean, index, integer, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ROLES } from "../column-values.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export { ROLES };
export const USER_TOKEN_KINDS = ["invitation", "password_reset"] as const;

export const users = ragstone.table(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** In lower case; sign-in folds the typed email before the lookup. */
    email: text("email").notNull(),
    name: text("name").notNull(),
    passwordHash: text("password_hash"),
    /**
     * When the holder of the email, or the operator on their behalf, last set the password. Null when an admin of a
     * company saw the link that was used, or when this is unknown.
     */
    emailProvenAt: instant("email_proven_at"),
    /** Raised to end every session of the user. */
    sessionVersion: integer("session_version").notNull().default(1),
    failedSignIns: integer("failed_sign_ins").notNull().default(0),
    lockedUntil: instant("locked_until"),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("users_email").on(table.email)],
);

/** The identity of a person at a single sign-on provider. Unlike the email, it never changes. */
export const userIdentities = ragstone.table(
  "user_identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex("user_identities_user").on(table.userId, table.issuer),
  ],
);

/** A signed-in browser; the cookie contains the row's id. Signing out deletes the row. */
export const sessions = ragstone.table(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The user's `sessionVersion` at sign-in; the session ends when the user's version is raised. */
    version: integer("version").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expires").on(table.expiresAt)],
);

export const memberships = ragstone.table(
  "memberships",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ROLES }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.userId] }),
    // the companies of one person, at sign-in and in the switcher
    index("memberships_user").on(table.userId),
  ],
);

/** Single-use links: an invitation to a company, or a password reset. */
export const userTokens = ragstone.table(
  "user_tokens",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: USER_TOKEN_KINDS }).notNull(),
    hash: text("hash").notNull(),
    email: text("email").notNull(),
    /** Whether the link was only sent by email; otherwise an admin saw it. */
    mailed: boolean("mailed").notNull().default(false),
    companyId: uuid("company_id").references(() => companies.id, {
      onDelete: "cascade",
    }),
    role: text("role", { enum: ROLES }),
    createdBy: uuid("created_by"),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("user_tokens_hash").on(table.hash), index("user_tokens_company").on(table.companyId)],
);
