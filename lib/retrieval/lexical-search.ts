import { analyzeQuery } from "../search-index/analyze.ts";
import { type LexicalScores, neededTerms, scoreLexical } from "../search-index/bm25.ts";
import type { Eligible } from "../search-index/eligible.ts";
import type { IndexReader } from "./index-reader.ts";
import type { QuestionWords } from "./question.ts";

interface LexicalSearch {
  question: QuestionWords;
  eligible: Pick<Eligible, "blocks">;
}

/** Scores chunks by keywords. Word statistics are those of the eligible chunks, so that no other chunk moves a score. */
export async function scoreByWords(
  reader: IndexReader,
  { question, eligible: { blocks } }: LexicalSearch,
): Promise<LexicalScores> {
  const query = analyzeQuery(question, new Set(blocks.map(({ language }) => language)));
  return scoreLexical(blocks, await reader.postings(neededTerms(query)), query);
}
