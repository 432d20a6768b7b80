import type { VersionClues } from "../language/versions.ts";
import type { Eligible } from "../search-index/eligible.ts";
import type { PostingList } from "../search-index/postings.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import type { QuestionEmbedding } from "./embed.ts";
import type { ChunkRow, NearChunk } from "./queries.ts";

/** The number of chunks to search, from the company's lexical blocks. */
export interface Sizes {
  live: number;
  /** Slots that may have a vector, live or not: at least the number of vectors to search. */
  stored: number;
}

interface NearestSearch {
  query: QuestionEmbedding;
  count: number;
  eligible: Eligible;
  sizes: Sizes;
}

/** Reads one company's index as of one moment, from the database or from memory. */
export interface IndexReader {
  readonly sizes: Sizes;
  eligible(filters: EffectiveFilters): Promise<Eligible>;
  /** The posting lists of these terms. */
  postings(terms: number[]): Promise<PostingList[]>;
  /** The `count` nearest of the eligible chunks, nearest first; fewer only when there are no more. */
  nearest(search: NearestSearch): Promise<NearChunk[]>;
  /** The cosines of those of these chunks that have a vector. */
  cosines(query: QuestionEmbedding, ordinals: number[]): Promise<NearChunk[]>;
  /** A hash of each chunk's text, by ordinal. Different hashes mean different texts. */
  texts(ordinals: number[]): Promise<Map<number, number>>;
  /** What each chunk says about the version of its document, by ordinal. */
  versionClues(ordinals: number[]): Promise<Map<number, VersionClues>>;
  /** The chunks with the labels of the current versions of their sources. */
  chunks(ordinals: number[]): Promise<ChunkRow[]>;
}
