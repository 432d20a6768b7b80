import type { ContextChunk } from "../context-chunk.ts";
import type { Candidate } from "./evidence.ts";

/** Minimum share of the best score for a question and answer to be returned whole. */
const SCORE_SHARE = 0.8;
/** Cosine from which the answer needs no addition from elsewhere. */
const SURELY_SAME = 0.75;

/** The question and answer that means the same in other words and ranks near the first; else undefined. */
export function matchingQa(candidates: readonly Candidate[], chunks: readonly ContextChunk[]): Candidate | undefined {
  const [closest] = candidates
    .filter(({ chunk, similarity }) => chunks[chunk]?.sourceType === "qa" && similarity !== null)
    .toSorted((a, b) => topicCosine(b) - topicCosine(a));
  const scoreMin = SCORE_SHARE * Math.max(...chunks.map(({ score }) => score));
  return closest?.similarity?.asksSame && (chunks[closest.chunk]?.score ?? 0) >= scoreMin ? closest : undefined;
}

/** Whether a candidate's Q&A surely asks the same; true when this was not measured. */
export function surelyAsksTheSame({ similarity }: Candidate): boolean {
  return similarity === null || (similarity.asksSame && similarity.topic >= SURELY_SAME);
}

/** The cosine of the asked question with that of the Q&A. */
function topicCosine({ similarity }: Candidate): number {
  return similarity?.topic ?? 0;
}
