import type { Language } from "../../language/function-words.ts";
import type { ContextChunk } from "../context-chunk.ts";
import { refersBack } from "./anaphora.ts";
import type { Candidate } from "./evidence.ts";
import { isLimit } from "./limits.ts";
import { surelyAsksTheSame } from "./matching-qa.ts";
import { asksForList, isStrict } from "./question-type.ts";
import type { QuestionType } from "./type-evidence.ts";
import type { Unit } from "./units.ts";

/** Words of an answer made of sentences; its first sentence may have more. */
const WORDS_MAX = 75;
/** Words up to which an answer is filled with the sentences around its first one, before it gets others. */
const FILL_WORDS = 45;
/**
 * In characters: a list, or the answer of a question and answer, may be longer because a part would be of little use.
 */
const PART_LENGTH_MAX = 1_500;
/** The order in which neighbours of the best unit are added: a step says little without the one before. */
const AROUND: Readonly<Record<Unit["kind"], readonly number[]>> = {
  sentence: [1, -1, 2, -2, 3],
  step: [-1],
  item: [],
  row: [],
};
const CHUNKS_MAX = 2;
/** Minimum share of the best candidate's relevance for a further sentence. */
const RELEVANCE_SHARE = 0.85;
/** Maximum share of terms that a further sentence may have in common with a chosen one. */
const OVERLAP_MAX = 0.6;

/** What the parts of an answer are chosen from. */
interface Choice {
  best: Candidate;
  /** What may be quoted by itself, the most relevant first. */
  candidates: readonly Candidate[];
  /** Units that give the assistant no instructions, most relevant first. */
  ranked: readonly Candidate[];
  /** The units of the best candidate's chunk, in order. */
  siblings: readonly Candidate[];
  chunks: readonly ContextChunk[];
  language: Language;
  type: QuestionType | null;
  isShort: boolean;
  hasEnoughEvidence: (candidate: Candidate) => boolean;
}

/** The units of an answer around its best one. */
export function chooseUnits(choice: Choice): readonly Candidate[] {
  const chosen = wholeAnswer(choice) ?? listAround(choice) ?? bestSentences(choice);
  return withReferents(chosen, choice);
}

/** Whether a line introduces what follows it. */
export function isLead({ text }: Unit): boolean {
  return text.endsWith(":");
}

function isQuestionAndAnswer({ chunk }: Candidate, chunks: readonly ContextChunk[]): boolean {
  return chunks[chunk]?.sourceType === "qa";
}

/**
 * The whole answer of a question and answer and, unless its question is surely the same, the best unit elsewhere; null
 * when the best candidate is from a document, or when the answer is too long.
 */
function wholeAnswer({
  best,
  candidates,
  siblings,
  chunks,
  isShort,
  hasEnoughEvidence,
}: Choice): readonly Candidate[] | null {
  if (!isQuestionAndAnswer(best, chunks) || lengthOf(siblings) > PART_LENGTH_MAX) return null;
  if (isShort || surelyAsksTheSame(best)) return siblings;
  const isGood = (other: Candidate) => other.relevance >= RELEVANCE_SHARE * best.relevance && hasEnoughEvidence(other);
  const other = candidates.find((each) => each.chunk !== best.chunk && !isLead(each.unit) && isGood(each));
  return other ? [...siblings, other] : siblings;
}

/**
 * The whole list that the best candidate introduces or, unless the question asks for a single fact, is a step of; else
 * null.
 */
function listAround({ best, siblings, type }: Choice): readonly Candidate[] | null {
  const isPart = asksForList(type) ? /step|item/.test(best.unit.kind) : type === null && best.unit.kind === "step";
  if (!isLead(best.unit) && !isPart) return null;
  const first = isLead(best.unit) ? siblings.find(({ position }) => position === best.position + 1) : best;
  return fitting(listOf(first ?? best, siblings), PART_LENGTH_MAX);
}

/** The list that a candidate is a part of, with the line that introduces it. */
function listOf(part: Candidate, siblings: readonly Candidate[]): readonly Candidate[] {
  const list = siblings.filter((other) => isNear(other, part));
  const before = siblings.find(({ position }) => position === (list[0]?.position ?? 0) - 1);
  return before && isLead(before.unit) ? [before, ...list] : list;
}

/**
 * The best sentence, the sentences that limit it, its neighbours, and other sentences that answer equally well. A
 * question that asks for no number, date or the like gets more neighbours while there is room.
 */
function bestSentences(choice: Choice): readonly Candidate[] {
  const { best, siblings, language, type, isShort } = choice;
  const next = siblings.find(({ position }) => position === best.position + 1);
  const isLimited = next && isNear(next, best) && isLimit(next.unit.text, language);
  const limited = isLimited && wordsOf([best, next]) <= WORDS_MAX ? [best, next] : [best];
  if (isShort) return limited;

  const filled = withNeighbours(limited, choice, FILL_WORDS);
  const further = withFurther(filled, choice);
  return isStrict(type) ? further : withShortList(withNeighbours(further, choice, WORDS_MAX), choice);
}

/** Adds the list that the best candidate is an item of, when there is room for all of it. */
function withShortList(chosen: readonly Candidate[], { best, siblings }: Choice): readonly Candidate[] {
  const list = best.unit.kind === "item" ? listOf(best, siblings) : [];
  const all = [...new Set([...chosen, ...list])];
  return wordsOf(all) <= WORDS_MAX ? all : chosen;
}

/** Adds the sentences around the best one, or the step before it, while there is room. */
function withNeighbours(chosen: readonly Candidate[], { best, siblings, type }: Choice, words: number) {
  const all = [...chosen];
  for (const offset of AROUND[best.unit.kind]) {
    const neighbour = siblings.find(({ position }) => position === best.position + offset);
    if (neighbour === undefined || all.includes(neighbour) || isLead(neighbour.unit)) continue;
    const isAround = isNear(neighbour, best) || (!isStrict(type) && isSameSection(neighbour, best));
    if (isAround && wordsOf([...all, neighbour]) <= words) all.push(neighbour);
  }
  return all;
}

/** Adds other sentences that answer as well as the best one, while there is room. */
function withFurther(chosen: readonly Candidate[], { best, candidates, chunks, hasEnoughEvidence }: Choice) {
  const all = [...chosen];
  for (const candidate of candidates) {
    if (candidate.relevance < RELEVANCE_SHARE * best.relevance || !hasEnoughEvidence(candidate)) continue;
    if (isQuestionAndAnswer(candidate, chunks) || wordsOf([...all, candidate]) > WORDS_MAX) continue;
    if (candidate.unit.kind === "row" && candidate.lexical < best.lexical) continue;
    if (all.some((other) => other === candidate || overlap(candidate, other) > OVERLAP_MAX)) continue;
    if (new Set([...all, candidate].map(({ chunk }) => chunk)).size <= CHUNKS_MAX) all.push(candidate);
  }
  return all;
}

/** Whether both belong to one paragraph, list or table. */
function isNear({ unit }: Candidate, other: Candidate): boolean {
  return unit.kind === other.unit.kind && unit.block === other.unit.block;
}

/** Whether both are prose under one heading. */
function isSameSection({ unit }: Candidate, other: Candidate): boolean {
  return unit.kind === "sentence" && unit.heading === other.unit.heading;
}

/** Adds the sentence before each sentence that begins with "It", "However" or the like. */
function withReferents(chosen: readonly Candidate[], { ranked, language }: Choice): readonly Candidate[] {
  const all = new Set(chosen);
  for (const { unit, chunk, position } of chosen) {
    if (unit.kind !== "sentence" || !refersBack(unit.text, language)) continue;
    const before = ranked.find((other) => other.chunk === chunk && other.position === position - 1);
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
