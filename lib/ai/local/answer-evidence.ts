import type { ContextChunk } from "../context-chunk.ts";
import type { Candidate } from "./evidence.ts";
import type { QuestionForm } from "./question-forms.ts";
import { isStrict, typeMatch } from "./question-type.ts";
import type { QuestionType } from "./type-evidence.ts";
import { weakestCloseness } from "./word-closeness.ts";

/** What decides whether to answer, besides the best candidate's own evidence. */
export interface AnswerEvidence {
  /** The form of the question for each chunk. */
  forms: readonly QuestionForm[];
  chunks: readonly Pick<ContextChunk, "title" | "path">[];
  /** Relevance of the candidates, best first. */
  relevances: readonly number[];
  type: QuestionType | null;
  /** Number of distinct content words of the question. */
  termCount: number;
  /** The keyword score of each chunk; null when it is unknown. */
  keywordScores: readonly (number | null)[];
}

/**
 * Logistic regression on 1,070 cases: the fit half of bench/answers, and its answerable questions without the chunks that
 * answer them, which count half. AUC .916 on the questions, each by weights fitted to other documents. The share of the
 * question's terms and the language of the chunks added nothing. Yes/no questions are not fitted: without their weight,
 * more of them are refused than before.
 */
const WEIGHT = {
  unit: 4.37,
  closeness: 3.25,
  typeMissing: -2.81,
  typeUnsure: -1.9,
  margin: 2.01,
  keyword: 2.39,
  term: 0.2,
  person: -0.57,
  decision: 0.3,
};
const BIAS = -6.99;
/** Minimum log odds for an answer: avoids more wrong answers than it loses right ones. */
const LOG_ODDS_MIN = -0.7;
/** Typical values, for when there are fewer than five candidates or the keyword score is unknown. */
const USUAL = { margin: 0.5, keyword: 0.4 };
const FIFTH = 4;
/** Below both, the question is about something else, whatever the ranks say. */
const OFF_TOPIC = { lexical: 0.5, unit: 0.3 };
const LEXICAL_MIN = 0.45;

/**
 * Whether a candidate is enough evidence for an answer.
 * @param quoted what the answer would quote, which may say more than the candidate
 */
export function hasEnoughEvidence(
  candidate: Candidate,
  answerEvidence: AnswerEvidence,
  quoted: readonly Candidate[] = [candidate],
): boolean {
  const { lexical, similarity, typed, chunk } = candidate;
  const { relevances, type, termCount, keywordScores } = answerEvidence;
  if (similarity === null) return lexical >= LEXICAL_MIN;
  if (lexical < OFF_TOPIC.lexical && similarity.unit < OFF_TOPIC.unit) return false;
  const logOdds =
    BIAS +
    WEIGHT.unit * similarity.unit +
    WEIGHT.closeness * closenessOf(candidate, answerEvidence, quoted) +
    typeWeight(typed, type) +
    WEIGHT.margin * (lead(relevances) ?? USUAL.margin) +
    WEIGHT.keyword * (keywordScores[chunk] ?? USUAL.keyword) +
    WEIGHT.term * termCount;
  return logOdds >= LOG_ODDS_MIN;
}

/** The closeness of the question's least matched word to the answer with its title and headings. */
function closenessOf({ chunk, unit, typed }: Candidate, answerEvidence: AnswerEvidence, quoted: readonly Candidate[]) {
  const { forms, chunks, type } = answerEvidence;
  const form = forms[chunk];
  if (form === undefined) return 0;
  // an amount answers "how much"
  const said = isStrict(type) && typed > 0 ? form.typeWords : "";
  const { title = "", path = [] } = chunks[chunk] ?? {};
  const about = [title, ...path, unit.heading, unit.lead];
  const text = [...about, ...quoted.map((each) => each.unit.text)].join(" ");
  return weakestCloseness(form.question, said, text, form.language);
}

function typeWeight(typed: number, type: QuestionType | null): number {
  if (type === "person" || type === "decision") return WEIGHT[type];
  if (!isStrict(type) || typed === 1) return 0;
  return typed === 0 ? WEIGHT.typeMissing : WEIGHT.typeUnsure;
}

/** The lead of the first candidate over the fifth. */
function lead(values: readonly number[]): number | null {
  const [first] = values;
  const fifth = values[FIFTH];
  return first === undefined || fifth === undefined ? null : first - fifth;
}

/** Whether an answer states the type of fact that the question asks for, where nothing without it can be the answer. */
export function statesAskedFact(chosen: readonly Candidate[], type: QuestionType | null): boolean {
  return !isStrict(type) || chosen.some(({ unit }) => typeMatch(unit.text, type) > 0);
}
