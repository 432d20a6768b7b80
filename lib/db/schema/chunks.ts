import { boolean, foreignKey, index, integer, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { companyId, ragstone } from "./columns.ts";
import { ofSource, sourceVersions } from "./sources.ts";

/** A chunk of a source. Versions share unchanged chunks and their vectors. */
export const chunks = ragstone.table(
  "chunks",
  {
    companyId: companyId(),
    /** Derived from source, headings and text, so an unchanged chunk keeps its id. */
    id: uuid("id").notNull(),
    sourceId: uuid("source_id").notNull(),
    /** Consecutive number within the company: the slot in the lexical blocks and the key of the vector. */
    ordinal: integer("ordinal").notNull(),
    content: text("content").notNull(),
    embeddingText: text("embedding_text").notNull(),
    headings: text("headings").array().notNull().default([]),
    wordLength: integer("word_length").notNull(),
    gramLength: integer("gram_length").notNull(),
    pieceCount: integer("piece_count").notNull(),
    rawWordCount: integer("raw_word_count").notNull(),
    /** Whether all postings are written; until then the chunk must not be live. */
    indexed: boolean("indexed").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    ofSource(table),
    // search returns ordinals; their text is read by this index
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
    // from a search candidate to its position in the current version
    index("version_chunks_chunk").on(table.companyId, table.chunkId),
  ],
);
