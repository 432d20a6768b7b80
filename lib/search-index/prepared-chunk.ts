import type { Language } from "../language/language.ts";
import type { AnalyzedChunk } from "./analyze.ts";

/** A chunk that is ready to be indexed. */
export interface PreparedChunk {
  id: string;
  /** The id of the source's row. */
  sourceId: string;
  /** Position in the version, from 0. */
  position: number;
  page: number | null;
  content: string;
  /** The text for the embedding model: headings and content. */
  embeddingText: string;
  headings: string[];
  language: Language | null;
  analyzed: AnalyzedChunk;
  /** Tokens and words at the start of the content. Their ratio is the fertility of the language. */
  pieceCount: number;
  rawWordCount: number;
}
