import { isNotNull, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { SOURCE_TYPES } from "../column-values.ts";
import type { SourceBody } from "../stored-json.ts";
import { ACTOR_TYPES } from "./audit.ts";
import { companyId, createdAt, instant, ragstone } from "./columns.ts";
import { companies } from "./companies.ts";

export const VERSION_STATES = ["building", "current", "superseded", "failed"] as const;

/** A document or a question and answer, with the caller's own identifier. */
export const sources = ragstone.table(
  "sources",
  {
    companyId: companyId().references(() => companies.id, {
      onDelete: "cascade",
    }),
    id: uuid("id").notNull().defaultRandom(),
    sourceId: text("source_id").notNull(),
    /** The version that retrieval serves; null before the first one is ready, and while deleted. */
    currentVersionId: uuid("current_version_id"),
    /** The newest accepted version, in whatever state. */
    latestVersionId: uuid("latest_version_id"),
    /** The source of the email that this file is an attachment of: they are deleted and restored together. */
    attachedTo: uuid("attached_to"),
    deletedAt: instant("deleted_at"),
    /** When an admin verified the answer of a question; null when it is not verified. */
    verifiedAt: instant("verified_at"),
    /** The admin's name. */
    verifiedBy: text("verified_by"),
    /** The last day, in UTC, on which the answer is returned as verified; null for no end. */
    verifiedUntil: date("verified_until"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    // ingestion is idempotent by the caller's identifier
    uniqueIndex("sources_source_id").on(table.companyId, table.sourceId),
    index("sources_attached").on(table.companyId, table.attachedTo).where(isNotNull(table.attachedTo)),
    // the list of the API, which pages by the last change
    index("sources_changed").on(table.companyId, table.updatedAt, table.id),
    // the count of answers to review
    index("sources_verified").on(table.companyId, table.verifiedUntil).where(isNotNull(table.verifiedUntil)),
    // the list of OpenAI's API, which pages by the time of adding
    index("sources_added").on(table.companyId, table.createdAt, table.id),
  ],
);

/** A row belongs to a source of its company, and is deleted with it. */
export function ofSource(table: { companyId: AnyPgColumn; sourceId: AnyPgColumn }) {
  return foreignKey({
    columns: [table.companyId, table.sourceId],
    foreignColumns: [sources.companyId, sources.id],
  }).onDelete("cascade");
}

/** The content of a source at one time: its labels, and its text or the file that contains it. */
export const sourceVersions = ragstone.table(
  "source_versions",
  {
    companyId: companyId(),
    id: uuid("id").notNull().defaultRandom(),
    sourceId: uuid("source_id").notNull(),
    number: integer("number").notNull(),
    state: text("state", { enum: VERSION_STATES }).notNull().default("building"),
    sourceType: text("source_type", { enum: SOURCE_TYPES }).notNull(),
    title: text("title").notNull(),
    /** The same for questions that count as the same; null for documents. */
    questionKey: text("question_key"),
    audience: text("audience").array().notNull(),
    contentCategory: text("content_category").notNull().default("general"),
    path: text("path").array().notNull().default([]),
    metadata: jsonb("metadata").$type<Record<string, unknown>>().notNull().default({}),
    /** The caller's metadata; null if `metadata` contains nothing else, such as the sender of an email. */
    givenMetadata: jsonb("given_metadata").$type<Record<string, unknown>>(),
    body: jsonb("body").$type<SourceBody>().notNull(),
    /**
     * Key of the original file in the object store, which other versions and sources may share; null without a file.
     */
    storageKey: text("storage_key"),
    /** SHA-256 of labels and body, hex: ingesting the same content again changes nothing. */
    contentHash: text("content_hash").notNull(),
    chunkCount: integer("chunk_count").notNull().default(0),
    /** Why the version failed, in a message for people. */
    error: text("error"),
    /** What people should know about how well the file was read, in whole sentences. */
    notice: text("notice"),
    createdAt: createdAt(),
    readyAt: instant("ready_at"),
    /** When the chunks of a replaced version were deleted. Its text or file remains until `emptiedAt`. */
    purgedAt: instant("purged_at"),
    /** When the content of a replaced version was deleted; only this row remains. */
    emptiedAt: instant("emptied_at"),
    /** The author of this version; null in older rows. */
    authorType: text("author_type", { enum: ACTOR_TYPES }),
    authorName: text("author_name"),
    /** The audit event of the change of labels that created this version, for its undo. */
    relabelId: uuid("relabel_id"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    ofSource(table),
    index("source_versions_source").on(table.companyId, table.sourceId, table.number),
    // other versions with the same original
    index("source_versions_original").on(table.companyId, table.storageKey).where(isNotNull(table.storageKey)),
    // the questions that repeat another one
    index("source_versions_question").on(table.companyId, table.questionKey).where(isNotNull(table.questionKey)),
    // versions of a change of labels
    index("source_versions_relabel").on(table.companyId, table.relabelId).where(isNotNull(table.relabelId)),
    // versions that still have to be purged
    index("source_versions_stale")
      .on(table.companyId, table.sourceId)
      .where(sql`${table.state} in ('superseded', 'failed') and ${table.purgedAt} is null`),
  ],
);
