import type { Language } from "../../language/function-words.ts";
import { detectLanguage } from "../../language/language.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { refersBack } from "./anaphora.ts";
import { refusal } from "./answer-phrases.ts";
import { type Candidate, type Embed, rankCandidates } from "./evidence.ts";
import { isSupported, isTypeHeld, type Surroundings } from "./gate.ts";
import { addressesAssistant } from "./instructions.ts";
import { isLimit } from "./limits.ts";
import { namesUnknownNumber } from "./product-numbers.ts";
import { questionType } from "./question-type.ts";
import { renderUnits } from "./render.ts";
import { sentencesOf } from "./sentences.ts";
import { storedAnswer } from "./stored-answer.ts";
import { termsOf } from "./terms.ts";
import type { QuestionType } from "./type-evidence.ts";
import type { Unit } from "./units.ts";

/** Words of an answer made of sentences; its first sentence may have more. */
const WORDS_MAX = 60;
/** Words up to which an answer is filled with the sentences around its first one. */
const FILL_WORDS = 45;
/**
 * In characters: a list, or the answer of a question and answer, may be longer because a part would be of little use.
 */
const PART_LENGTH_MAX = 1_500;
const CHUNKS_MAX = 2;
/** Minimum share of the best candidate's relevance for a further sentence. */
const RELEVANCE_SHARE = 0.85;
/** Maximum share of terms that a further sentence may have in common with a chosen one. */
const OVERLAP_MAX = 0.6;

type AnswerInput = {
  question: string;
  chunks: readonly ContextChunk[];
  language: Language;
  /** Whether the best sentence and the sentences that limit it are enough. */
  isShort?: boolean | undefined;
  embed?: Embed | undefined;
  signal?: AbortSignal | undefined;
};

/** What the parts of an answer are chosen from. */
interface Choice {
  best: Candidate;
  /** What may be quoted by itself, the most relevant first. */
  candidates: readonly Candidate[];
  /** The units of the best candidate's chunk, in order. */
  siblings: readonly Candidate[];
  chunks: readonly ContextChunk[];
  language: Language;
  isShort: boolean;
  isSupported: (candidate: Candidate) => boolean;
}

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
  const question = withoutOrders(asked.question, language);
  const all = await rankCandidates(question, chunks, language, embed, signal);
  const ranked = all.filter(({ unit }) => !addressesAssistant(unit.text));
  const ends = lastPlaceByChunk(ranked);
  const candidates = ranked.filter(
    (candidate) => !isFragment(candidate.unit) && !introducesMissingList(candidate, ends),
  );
  const type = questionType(question);
  const surroundings: Surroundings = {
    relevances: candidates.map(({ relevance }) => relevance),
    type,
    termCount: termsOf(question, language).size,
    keywordScores: chunks.map(({ keywordScore }) => keywordScore ?? null),
    isForeign: chunks.map(({ content }) => detectLanguage(content) !== language),
  };
  const supported = (candidate: Candidate) => isSupported(candidate, surroundings);
  const stored = storedAnswer({ question, language }, candidates, chunks);
  const best = stored ?? candidates.slice(0, 1).find(supported);
  if (best === undefined || namesUnknownNumber(question, chunks)) return refusal(language);

  const siblings = ranked.filter(({ chunk }) => chunk === best.chunk).toSorted((a, b) => a.place - b.place);
  const choice = { best, candidates, siblings, chunks, language, isShort, isSupported: supported };
  const chosen = wholeAnswer(choice) ?? listAround(choice, type) ?? bestSentences(choice);
  const complete = withReferents(chosen, ranked, language);
  return isTypeHeld(complete, type) ? renderUnits(complete, chunks) : refusal(language);
}

/** The question without sentences that give orders to an assistant, unless it has no others. */
function withoutOrders(question: string, language: Language): string {
  const own = sentencesOf(question, language).filter((sentence) => !addressesAssistant(sentence));
  return own.length > 0 ? own.join(" ") : question;
}

/** A label or table cell means nothing alone. */
function isFragment({ kind, text }: Unit): boolean {
  return kind === "sentence" && text.split(" ").length < 3 && !/: ?\S/.test(text);
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
function wholeAnswer({ best, siblings, chunks }: Choice): readonly Candidate[] | null {
  return isQuestionAndAnswer(best, chunks) && lengthOf(siblings) <= PART_LENGTH_MAX ? siblings : null;
}

/**
 * The whole list that the best candidate introduces or, unless the question asks for a single fact, is a step of; else
 * null.
 */
function listAround({ best, siblings }: Choice, type: QuestionType | null): readonly Candidate[] | null {
  const isListed = type === "procedure" || type === "list";
  const isPart = isListed ? /step|item/.test(best.unit.kind) : type === null && best.unit.kind === "step";
  if (!isLead(best.unit) && !isPart) return null;

  const member = isLead(best.unit) ? siblings.find(({ place }) => place === best.place + 1) : best;
  const list = siblings.filter(({ unit }) => unit.kind === member?.unit.kind && unit.block === member.unit.block);
  const before = siblings.find(({ place }) => place === (list[0]?.place ?? 0) - 1);
  return fitting(before && isLead(before.unit) ? [before, ...list] : list, PART_LENGTH_MAX);
}

/**
 * The best sentence, the sentences that limit it, other sentences that answer equally well, and neighbours while there is
 * room.
 */
function bestSentences({
  best,
  candidates,
  siblings,
  chunks,
  language,
  isShort,
  isSupported,
}: Choice): readonly Candidate[] {
  const chosen = [best];
  const fits = (candidate: Candidate, most: number) =>
    !chosen.includes(candidate) && wordsOf([...chosen, candidate]) <= most;
  const isNear = ({ unit }: Candidate) => unit.kind === best.unit.kind && unit.block === best.unit.block;
  const next = siblings.find(({ place }) => place === best.place + 1);
  if (next && isNear(next) && isLimit(next.unit.text, language) && fits(next, WORDS_MAX)) chosen.push(next);
  if (isShort) return chosen;

  const around = best.unit.kind === "sentence" ? [best.place + 1, best.place - 1, best.place + 2] : [];
  for (const place of around) {
    const neighbour = siblings.find((other) => other.place === place);
    if (neighbour && isNear(neighbour) && !isLead(neighbour.unit) && fits(neighbour, FILL_WORDS))
      chosen.push(neighbour);
  }
  for (const candidate of candidates) {
    if (candidate.relevance < RELEVANCE_SHARE * best.relevance || !isSupported(candidate)) continue;
    if (isQuestionAndAnswer(candidate, chunks) || !fits(candidate, WORDS_MAX)) continue;
    if (candidate.unit.kind === "row" && candidate.lexical < best.lexical) continue;
    if (chosen.some((other) => overlap(candidate, other) > OVERLAP_MAX)) continue;
    if (new Set([...chosen, candidate].map(({ chunk }) => chunk)).size <= CHUNKS_MAX) chosen.push(candidate);
  }
  return chosen;
}

/** Adds the sentence before each sentence that begins with "It", "However" or the like. */
function withReferents(
  chosen: readonly Candidate[],
  ranked: readonly Candidate[],
  language: Language,
): readonly Candidate[] {
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
function fitting(candidates: readonly Candidate[], length: number): readonly Candidate[] {
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

function wordsOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((count, { unit }) => count + unit.text.split(" ").length, 0);
}
