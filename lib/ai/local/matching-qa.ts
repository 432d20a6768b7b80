import type { ContextChunk } from "../context-chunk.ts";
import { type Candidate, topicOf } from "./evidence.ts";
import type { QuestionForm } from "./question-forms.ts";
import { asksTheSame } from "./same-question.ts";

/** Minimum share of the best score for a question and answer to be returned whole. */
const SCORE_SHARE = 0.8;
/** Cosine from which the answer needs no addition from elsewhere. */
const SURELY_SAME = 0.75;

/** The question and answer that means the same in other words and ranks near the first; else undefined. */
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
  if (chunk.score < SCORE_SHARE * scoreMax) return undefined;
  const form = forms[closest.chunk];
  return form && asksTheSame(form, topicOf(chunk), topicCosine(closest)) ? closest : undefined;
}

/** Whether a candidate's Q&A surely asks the same; true when this was not measured. */
export function isSameQuestion(candidate: Candidate): boolean {
  return candidate.similarity === null || topicCosine(candidate) >= SURELY_SAME;
}

/** The cosine of the asked question with that of the Q&A. */
function topicCosine({ similarity }: Candidate): number {
  return similarity?.topic ?? 0;
}
