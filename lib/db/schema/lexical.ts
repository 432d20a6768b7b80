import { integer, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, companyId, ragstone } from "./columns.ts";

/** 4,096 slots for chunks of one language: which slots are live, and the sums over live slots that BM25 needs. */
export const lexicalBlocks = ragstone.table(
  "lexical_blocks",
  {
    companyId: companyId(),
    block: integer("block").notNull(),
    language: text("language").notNull(),
    /** Slots assigned so far; a slot is never assigned twice. */
    used: integer("used").notNull().default(0),
    /** Slots of purged chunks whose postings were removed from the lists. */
    compacted: integer("compacted").notNull().default(0),
    live: bytea("live").notNull(),
    liveCount: integer("live_count").notNull().default(0),
    wordTotal: integer("word_total").notNull().default(0),
    gramTotal: integer("gram_total").notNull().default(0),
    pieceTotal: integer("piece_total").notNull().default(0),
    rawWordTotal: integer("raw_word_total").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.block] })],
);

/** The keyword index: for a term and a block, the packed postings of the chunks that contain the term. */
export const lexicalPostings = ragstone.table(
  "lexical_postings",
  {
    companyId: companyId(),
    term: integer("term").notNull(),
    block: integer("block").notNull(),
    postings: bytea("postings").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.term, table.block] })],
);
