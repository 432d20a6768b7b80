import type { ContextChunk } from "../../ai/context-chunk.ts";
import { bundledModelDir } from "../../ai/local/bundled-model.ts";
import { loadTokenizer } from "../../ai/local/tokenizer.ts";

/** Lengths in characters of a question, of an answer or its source text, of a stored answer, and of a piece of a document. */
export const QUESTION = 8_000;
const ANSWER = 8_000;
const STORED_ANSWER = 100_000;
const DOCUMENT = 12_000;
/** CPU milliseconds that all analysis of a question's text may cost. A slower machine gets more, as for each budget. */
export const WHOLE_QUESTION_BUDGET = 20;
/**
 * CPU milliseconds, about twice what an idle machine takes for the longest text. A slower machine gets more, by what the
 * reference costs it at that moment.
 */
export const QUESTION_BUDGET = 45;
export const BUDGET = 250;

/** A call of a function with a text of a length, and the CPU milliseconds that it may take. */
interface Cost {
  length: number;
  budget: number;
  run(text: string): unknown;
}

/** The calls of a file's functions. The first word of a name is the function's; a function with several kinds of input has several. */
export type Costs = Record<string, Record<string, Cost>>;

export const tokenizer = await loadTokenizer(bundledModelDir());
export const limits = (maxTokens: number) => ({ maxTokens, countTokens: tokenizer.count });
export const chunk = (content: string, more: Partial<ContextChunk> = {}): ContextChunk => ({
  ...{ title: "Contract", path: ["Support"], content, sourceType: "document", score: 0.5 },
  ...more,
});
export const ofQuestion = (run: Cost["run"], budget = QUESTION_BUDGET): Cost => ({ length: QUESTION, budget, run });
export const ofAnswer = (run: Cost["run"], budget = BUDGET): Cost => ({ length: ANSWER, budget, run });
export const ofStoredAnswer = (run: Cost["run"], budget = BUDGET): Cost => ({ length: STORED_ANSWER, budget, run });
export const ofDocument = (run: Cost["run"], budget = BUDGET): Cost => ({ length: DOCUMENT, budget, run });
