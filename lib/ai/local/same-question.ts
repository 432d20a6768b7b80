import type { QuestionForm } from "./question-forms.ts";
import { termMatcher, termsOf } from "./terms.ts";

/** Minimum cosine for two questions without a common word to mean the same. The bundled model knows English best. */
const COSINE_MIN = { english: 0.42, other: 0.54 };
/**
 * Added to the minimum when all words are common. They raise the cosine of questions that ask for something else too.
 */
const COMMON_WORDS = 0.6;
/** Cosine from which two questions mean the same, whatever words they share. */
const COSINE_ENOUGH = 0.9;

/**
 * Whether a question means the same as that of a Q&A. The limits are set on the fit questions of bench/answers.
 * @param cosine of the two questions
 */
export function asksTheSame(
  { question, language, isTranslated }: QuestionForm,
  stored: string,
  cosine: number,
): boolean {
  const least = language === "en" && !isTranslated ? COSINE_MIN.english : COSINE_MIN.other;
  if (cosine < least || cosine >= COSINE_ENOUGH) return cosine >= COSINE_ENOUGH;
  const terms = termsOf(question, language);
  const common = [...termMatcher(terms)(termsOf(stored, language)).values()].reduce((sum, share) => sum + share, 0);
  return cosine >= least + COMMON_WORDS * (common / Math.max(1, terms.size));
}
