import type { Language } from "../language/language.ts";
import type { AnalyzedChunk } from "./analyze.ts";

/** A chunk that is ready to be written to the index. */
export interface PreparedChunk {
  id: string;
  /** The id of the source's row. */
  sourceId: string;
  /** Its place in the version, from 0. */
  position: number;
  page: number | null;
  content: string;
  /** What the embedding model reads: the headings and the content. */
  embeddingText: string;
  headings: string[];
  language: Language | null;
  analyzed: AnalyzedChunk;
  /** Tokens and words of its beginning, whose ratio is the fertility of the language. */
  pieceCount: number;
  rawWordCount: number;
}
