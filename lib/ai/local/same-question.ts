import type { ContextChunk } from "../context-chunk.ts";
import type { QuestionForm } from "./question-forms.ts";
import { termMatcher, termsOf } from "./terms.ts";
import { topicOf } from "./topic.ts";

/** Minimum cosine for two questions without a common word to mean the same. The bundled model knows English best. */
const COSINE_MIN = { english: 0.42, other: 0.54 };
/** Added to the minimum when all words are shared, because shared words raise the cosine of different questions too. */
const COMMON_WORDS = 0.6;
/** Cosine from which two questions mean the same, whatever words they share. */
const COSINE_ENOUGH = 0.9;

/**
 * Whether a chunk is a Q&A whose question means the same as the asked one. The limits are set on the fit questions of
 * bench/answers.
 * @param form of the asked question in the language of the chunk
 * @param cosine of the two questions
 */
export function asksTheSame(form: QuestionForm | undefined, chunk: ContextChunk | undefined, cosine: number): boolean {
  if (form === undefined || chunk?.sourceType !== "qa") return false;
  const { question, language, isTranslated } = form;
  const least = language === "en" && !isTranslated ? COSINE_MIN.english : COSINE_MIN.other;
  const terms = termsOf(question, language);
  const stored = termsOf(topicOf(chunk), language);
  const common = [...termMatcher(terms)(stored).values()].reduce((sum, share) => sum + share, 0);
  return cosine >= Math.min(COSINE_ENOUGH, least + COMMON_WORDS * (common / Math.max(1, terms.size)));
}
