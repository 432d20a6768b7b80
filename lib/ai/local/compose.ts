import type { Language } from "../../language/function-words.ts";
import { stemTokens } from "../../language/tokens.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { type AnswerEvidence, hasEnoughEvidence, statesAskedFact } from "./answer-evidence.ts";
import { refusal } from "./answer-phrases.ts";
import { chooseUnits, isLead } from "./choose-units.ts";
import { type Candidate, type Embed, rankCandidates } from "./evidence.ts";
import { addressesAssistant, withoutInstructions } from "./instructions.ts";
import { matchingQa } from "./matching-qa.ts";
import { namesUnknownNumber } from "./product-numbers.ts";
import { questionForms } from "./question-forms.ts";
import { questionType } from "./question-type.ts";
import { renderUnits } from "./render.ts";
import { termsOf } from "./terms.ts";
import type { Unit } from "./units.ts";

/** A unit with fewer words is a fragment. */
const FRAGMENT_WORDS = 3;

type AnswerInput = {
  question: string;
  chunks: readonly ContextChunk[];
  language: Language;
  /** Whether the best sentence and the sentences that limit it are enough. */
  isShort?: boolean | undefined;
  embed?: Embed | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Composes an answer from units of the chunks, word for word, each followed by the `[n]` of its chunk. Returns the
 * refusal in `language` when no unit supports an answer.
 */
export async function composeAnswer({
  chunks,
  language,
  isShort = false,
  embed,
  signal,
  ...asked
}: AnswerInput): Promise<string> {
  const question = withoutInstructions(asked.question, language);
  const forms = questionForms(question, language, chunks);
  const type = questionType(question);
  const all = await rankCandidates({ forms, type }, chunks, embed, signal);
  const ranked = all.filter(({ unit }) => !addressesAssistant(unit.text));
  const ends = lastPlaceByChunk(ranked);
  const candidates = ranked.filter(
    (candidate) => !isFragment(candidate.unit) && !introducesMissingList(candidate, ends),
  );
  const answerEvidence: AnswerEvidence = {
    forms,
    chunks,
    type,
    relevances: candidates.map(({ relevance }) => relevance),
    termCount: termsOf(question, language).size,
    keywordScores: chunks.map(({ keywordScore }) => keywordScore ?? null),
  };
  const matching = matchingQa(candidates, chunks);
  const best = matching ?? candidates[0];
  if (best === undefined || namesUnknownNumber(question, language, chunks)) return refusal(language);

  const siblings = ranked.filter(({ chunk }) => chunk === best.chunk).toSorted((a, b) => a.position - b.position);
  const complete = chooseUnits({
    best,
    candidates,
    ranked,
    siblings,
    chunks,
    language: forms[best.chunk]?.language ?? language,
    type,
    isShort,
    hasEnoughEvidence: (candidate: Candidate) => hasEnoughEvidence(candidate, answerEvidence),
  });
  const isEnough = matching !== undefined || hasEnoughEvidence(best, answerEvidence, complete);
  return isEnough && statesAskedFact(complete, type) ? renderUnits(complete, chunks) : refusal(language);
}

/** A label or table cell means nothing alone. Sentences of some scripts have no spaces. */
function isFragment({ kind, text }: Unit): boolean {
  if (kind !== "sentence" || /: ?\S/.test(text)) return false;
  return text.split(" ").flatMap((word) => stemTokens(word, null)).length < FRAGMENT_WORDS;
}

/** The position of the last unit of each chunk. */
function lastPlaceByChunk(ranked: readonly Candidate[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  for (const { chunk, position } of ranked) ends.set(chunk, Math.max(position, ends.get(chunk) ?? 0));
  return ends;
}

/** Whether a line introduces a list that its chunk does not contain, and so answers nothing. */
function introducesMissingList({ unit, chunk, position }: Candidate, ends: ReadonlyMap<number, number>): boolean {
  return isLead(unit) && ends.get(chunk) === position;
}
