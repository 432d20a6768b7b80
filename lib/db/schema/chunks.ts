import { boolean, foreignKey, index, integer, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { companyId, ragstone } from "./columns.ts";
import { sources, sourceVersions } from "./sources.ts";

/** A passage of a source. Versions share the chunks that did not change, with their vectors. */
export const chunks = ragstone.table(
  "chunks",
  {
    companyId: companyId(),
    /** Derived from source, headings and text, so that an unchanged chunk keeps it. */
    id: uuid("id").notNull(),
    sourceId: uuid("source_id").notNull(),
    /** Dense number within the company: the slot in the lexical blocks and the name of the vector. */
    ordinal: integer("ordinal").notNull(),
    content: text("content").notNull(),
    embeddingText: text("embedding_text").notNull(),
    headings: text("headings").array().notNull().default([]),
    wordLength: integer("word_length").notNull(),
    gramLength: integer("gram_length").notNull(),
    pieceCount: integer("piece_count").notNull(),
    rawWordCount: integer("raw_word_count").notNull(),
    /** Whether its postings are all written; until then it must not go live. */
    indexed: boolean("indexed").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    foreignKey({
      columns: [table.companyId, table.sourceId],
      foreignColumns: [sources.companyId, sources.id],
    }).onDelete("cascade"),
    // candidates are ordinals; their text is read by this
    uniqueIndex("chunks_ordinal").on(table.companyId, table.ordinal),
    index("chunks_source").on(table.companyId, table.sourceId),
  ],
);

/** The chunks of a version in reading order. */
export const versionChunks = ragstone.table(
  "version_chunks",
  {
    companyId: companyId(),
    versionId: uuid("version_id").notNull(),
    position: integer("position").notNull(),
    chunkId: uuid("chunk_id").notNull(),
    page: integer("page"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.versionId, table.position] }),
    foreignKey({
      columns: [table.companyId, table.versionId],
      foreignColumns: [sourceVersions.companyId, sourceVersions.id],
    }).onDelete("cascade"),
    foreignKey({
      columns: [table.companyId, table.chunkId],
      foreignColumns: [chunks.companyId, chunks.id],
    }),
    // from a candidate to its place in the current version
    index("version_chunks_chunk").on(table.companyId, table.chunkId),
  ],
);
