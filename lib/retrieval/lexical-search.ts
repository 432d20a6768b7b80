import { analyzeQuery } from "../search-index/analyze.ts";
import { type LexicalScores, scoreLexical, termsOf } from "../search-index/bm25.ts";
import type { Eligible } from "../search-index/eligible.ts";
import type { IndexReader } from "./index-reader.ts";

interface LexicalSearch {
  /** The content words of the question. */
  words: string[];
  eligible: Pick<Eligible, "blocks">;
}

/** Scores chunks by keywords. Word statistics are those of the eligible chunks, so that no other chunk moves a score. */
export async function scoreByWords(
  reader: IndexReader,
  { words, eligible: { blocks } }: LexicalSearch,
): Promise<LexicalScores> {
  const query = analyzeQuery(words, new Set(blocks.map(({ language }) => language)));
  return scoreLexical(blocks, await reader.postings(termsOf(query)), query);
}
