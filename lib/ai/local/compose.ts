import type { Language } from "../../language/function-words.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { refersBack } from "./anaphora.ts";
import { refusal } from "./answer-phrases.ts";
import { type Candidate, type Embed, rankCandidates } from "./evidence.ts";
import { type QuestionType, questionType } from "./question-type.ts";
import { renderUnits } from "./render.ts";
import type { Unit } from "./sentences.ts";

const LENGTH_MAX = 700;
/** A list, or the answer of a question and answer, may be longer because part of it would be of little use. */
const PART_LENGTH_MAX = 1_500;
const SENTENCES_MAX = 4;
/** Minimum share of the best candidate's relevance for a further sentence, from the same chunk or another. */
const RELEVANCE_SHARE = { same: 0.85, other: 0.9 };
/** Maximum share of terms that a further sentence may have in common with a chosen one. */
const OVERLAP_MAX = 0.6;

export type AnswerInput = {
  question: string;
  chunks: readonly ContextChunk[];
  language: Language;
  embed?: Embed | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Composes an answer from units of the chunks, word for word, each followed by the `[n]` of its chunk. Returns the
 * refusal in `language` when no unit supports an answer.
 */
export async function composeAnswer({ question, chunks, language, embed, signal }: AnswerInput): Promise<string> {
  const ranked = await rankCandidates(question, chunks, language, embed, signal);
  const ends = lastPlaceByChunk(ranked);
  const candidates = ranked.filter(
    (candidate) => !isFragment(candidate.unit) && !introducesMissingList(candidate, ends),
  );
  const [best] = candidates;
  if (best === undefined || !isSupported(best)) return refusal(language);

  const siblings = ranked.filter(({ chunk }) => chunk === best.chunk).toSorted((a, b) => a.place - b.place);
  const chosen =
    wholeAnswer(best, siblings, chunks) ??
    listAround(best, siblings, questionType(question)) ??
    bestSentences(best, candidates, chunks);
  return renderUnits(withReferents(chosen, ranked, language), chunks);
}

/**
 * Whether a candidate is enough evidence to answer at all. Fitted by logistic regression on questions with their
 * retrieved results, against questions that the corpus does not answer. The cosines are those of all-MiniLM-L6-v2.
 */
function isSupported({ lexical, similarity }: Candidate): boolean {
  if (similarity === null) return lexical >= 0.45;
  return lexical + 1.14 * similarity.unit + 0.57 * similarity.topic >= 1.09;
}

/** A label or table cell means nothing alone. */
function isFragment({ kind, text }: Unit): boolean {
  return kind === "sentence" && text.split(" ").length < 3;
}

/** The position of the last unit of each chunk. */
function lastPlaceByChunk(ranked: readonly Candidate[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  for (const { chunk, place } of ranked) ends.set(chunk, Math.max(place, ends.get(chunk) ?? 0));
  return ends;
}

/** Whether a line introduces a list that its chunk does not contain, and so answers nothing. */
function introducesMissingList({ unit, chunk, place }: Candidate, ends: ReadonlyMap<number, number>): boolean {
  return isLead(unit) && ends.get(chunk) === place;
}

function isLead({ text }: Unit): boolean {
  return text.endsWith(":");
}

function isQuestionAndAnswer({ chunk }: Candidate, chunks: readonly ContextChunk[]): boolean {
  return chunks[chunk]?.sourceType === "qa";
}

/**
 * The whole answer of a question and answer; null when the best candidate is from a document, or when the answer is too
 * long.
 */
function wholeAnswer(best: Candidate, siblings: Candidate[], chunks: readonly ContextChunk[]): Candidate[] | null {
  return isQuestionAndAnswer(best, chunks) && lengthOf(siblings) <= PART_LENGTH_MAX ? siblings : null;
}

/**
 * The whole list that the best candidate introduces or, unless the question asks for a single fact, is a step of; else
 * null.
 */
function listAround(best: Candidate, siblings: readonly Candidate[], type: QuestionType | null): Candidate[] | null {
  const isPart = type === "procedure" ? /step|item/.test(best.unit.kind) : type === null && best.unit.kind === "step";
  if (!isLead(best.unit) && !isPart) return null;

  const member = isLead(best.unit) ? siblings.find(({ place }) => place === best.place + 1) : best;
  const list = siblings.filter(({ unit }) => unit.kind === member?.unit.kind && unit.block === member.unit.block);
  const before = siblings.find(({ place }) => place === (list[0]?.place ?? 0) - 1);
  return fitting(before && isLead(before.unit) ? [before, ...list] : list, PART_LENGTH_MAX);
}

function bestSentences(
  best: Candidate,
  candidates: readonly Candidate[],
  chunks: readonly ContextChunk[],
): Candidate[] {
  const chosen = [best];
  for (const candidate of candidates) {
    if (chosen.length === SENTENCES_MAX) break;
    const share = candidate.chunk === best.chunk ? RELEVANCE_SHARE.same : RELEVANCE_SHARE.other;
    if (candidate.relevance < share * best.relevance || !isSupported(candidate)) continue;
    if (isQuestionAndAnswer(candidate, chunks)) continue;
    if (candidate.unit.kind === "row" && candidate.lexical < best.lexical) continue;
    if (chosen.some((other) => overlap(candidate, other) > OVERLAP_MAX)) continue;
    if (lengthOf([...chosen, candidate]) <= LENGTH_MAX) chosen.push(candidate);
  }
  return chosen;
}

/** Adds the sentence before each sentence that begins with "It", "However" or the like. */
function withReferents(chosen: readonly Candidate[], ranked: readonly Candidate[], language: Language): Candidate[] {
  const all = new Set(chosen);
  for (const { unit, chunk, place } of chosen) {
    if (unit.kind !== "sentence" || !refersBack(unit.text, language)) continue;
    const before = ranked.find((other) => other.chunk === chunk && other.place === place - 1);
    if (before?.unit.block === unit.block && lengthOf([...all, before]) <= PART_LENGTH_MAX) all.add(before);
  }
  return [...all];
}

/** Number of common terms, as a share of the smaller set. */
function overlap(a: Candidate, b: Candidate): number {
  const common = [...a.terms].filter((term) => b.terms.has(term)).length;
  return common / Math.max(1, Math.min(a.terms.size, b.terms.size));
}

/** The first candidates that fit into `length`, and always the first one. */
function fitting(candidates: readonly Candidate[], length: number): Candidate[] {
  let left = length;
  const end = candidates.findIndex(({ unit }, index) => {
    left -= unit.text.length;
    return index > 0 && left < 0;
  });
  return candidates.slice(0, end === -1 ? candidates.length : end);
}

function lengthOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((length, { unit }) => length + unit.text.length, 0);
}
