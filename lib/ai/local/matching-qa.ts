import type { ContextChunk } from "../context-chunk.ts";
import { type Candidate, STORED_SCORE_SHARE, topicOf } from "./evidence.ts";
import type { QuestionForm } from "./question-forms.ts";
import { termMatcher, termsOf } from "./terms.ts";

/** Minimum cosine for two questions without a common word to mean the same. The bundled model knows English best. */
const COSINE_MIN = { english: 0.45, other: 0.65 };
/**
 * Added to the minimum when all words are common. They raise the cosine of questions that ask for something else too.
 */
const COMMON_WORDS = 0.5;
/** Minimum cosine for two questions to mean the same, whatever words they share. */
const SAME_QUESTION = 0.75;

/**
 * The question and answer that means the same in other words and ranks first or ties with the first; else undefined.
 * The limits are set on the 323 fit questions of bench/answers.
 */
export function matchingQa(
  forms: readonly QuestionForm[],
  candidates: readonly Candidate[],
  chunks: readonly ContextChunk[],
): Candidate | undefined {
  const [closest] = candidates
    .filter(({ chunk, similarity }) => chunks[chunk]?.sourceType === "qa" && similarity !== null)
    .toSorted((a, b) => topicCosine(b) - topicCosine(a));
  const chunk = closest && chunks[closest.chunk];
  if (closest === undefined || chunk === undefined) return undefined;
  const scoreMax = Math.max(...chunks.map(({ score }) => score));
  if (chunk.score < STORED_SCORE_SHARE * scoreMax) return undefined;
  const form = forms[closest.chunk];
  return form && topicCosine(closest) >= cosineMin(form, topicOf(chunk)) ? closest : undefined;
}

function cosineMin({ question, language, isTranslated }: QuestionForm, stored: string): number {
  const terms = termsOf(question, language);
  const common = [...termMatcher(terms)(termsOf(stored, language)).values()].reduce((sum, share) => sum + share, 0);
  const least = language === "en" && !isTranslated ? COSINE_MIN.english : COSINE_MIN.other;
  return Math.min(SAME_QUESTION, least + COMMON_WORDS * (common / Math.max(1, terms.size)));
}

/** Whether a candidate's Q&A surely asks the same; true when this was not measured. */
export function isSameQuestion(candidate: Candidate): boolean {
  return candidate.similarity === null || topicCosine(candidate) >= SAME_QUESTION;
}

/** The cosine of the asked question with that of the Q&A. */
function topicCosine({ similarity }: Candidate): number {
  return similarity?.topic ?? 0;
}
