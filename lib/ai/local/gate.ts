import type { Candidate } from "./evidence.ts";
import { isStrict, typeMatch } from "./question-type.ts";
import type { QuestionType } from "./type-evidence.ts";

/** What decides whether to answer, besides the best candidate's own evidence. */
export interface Surroundings {
  /** Relevance of the candidates, best first. */
  relevances: readonly number[];
  type: QuestionType | null;
  /** Number of distinct content words of the question. */
  termCount: number;
  /** The keyword score of each chunk; null when it is unknown. */
  keywordScores: readonly (number | null)[];
  /** For each chunk, whether its language is not that of the question. */
  isForeign: readonly boolean[];
}

/**
 * Logistic regression on 473 cases: the fit half of bench/answers, and its answerable questions without the chunks that
 * answer them. AUC .91 on the questions by cross-validation, .885 on the other half. The cosine is that of
 * all-MiniLM-L6-v2; that of the topic added nothing, nor did the scores of the chunks beside the keyword score.
 */
const WEIGHT = {
  lexical: 1.82,
  unit: 3.22,
  typeMissing: -2.96,
  typeUnsure: -1.26,
  margin: 1.49,
  keyword: 3.43,
  term: 0.12,
  foreign: 0.83,
  decision: 1.03,
  person: -0.99,
};
const BIAS = -5.74;
/** Minimum log odds for an answer: fewer right answers are lost than wrong ones avoided. */
const ODDS_MIN = -0.8;
/** Typical values, for when there are fewer than five candidates or the keyword score is unknown. */
const USUAL = { margin: 0.5, keyword: 0.4 };
const FIFTH = 4;
/** Below both, the question is about something else, whatever the ranks say. */
const OFF_TOPIC = { lexical: 0.5, unit: 0.3 };
const LEXICAL_MIN = 0.45;

/** Whether a candidate is enough evidence for an answer. */
export function isSupported(candidate: Candidate, surroundings: Surroundings): boolean {
  const { lexical, similarity, typed, chunk } = candidate;
  const { relevances, type, termCount, keywordScores, isForeign } = surroundings;
  if (similarity === null) return lexical >= LEXICAL_MIN;
  if (lexical < OFF_TOPIC.lexical && similarity.unit < OFF_TOPIC.unit) return false;
  const odds =
    BIAS +
    WEIGHT.lexical * lexical +
    WEIGHT.unit * similarity.unit +
    typeWeight(typed, type) +
    WEIGHT.margin * (lead(relevances) ?? USUAL.margin) +
    WEIGHT.keyword * (keywordScores[chunk] ?? USUAL.keyword) +
    WEIGHT.term * termCount +
    (isForeign[chunk] ? WEIGHT.foreign : 0);
  return odds >= ODDS_MIN;
}

function typeWeight(typed: number, type: QuestionType | null): number {
  if (type === "decision" || type === "person") return WEIGHT[type];
  if (!isStrict(type) || typed === 1) return 0;
  return typed === 0 ? WEIGHT.typeMissing : WEIGHT.typeUnsure;
}

/** The lead of the first candidate over the fifth. */
function lead(values: readonly number[]): number | null {
  const [first] = values;
  const fifth = values[FIFTH];
  return first === undefined || fifth === undefined ? null : first - fifth;
}

/** Whether an answer holds the type of fact that the question asks for, where nothing without it can be the answer. */
export function isTypeHeld(chosen: readonly Candidate[], type: QuestionType | null): boolean {
  return !isStrict(type) || chosen.some(({ unit }) => typeMatch(unit.text, type) > 0);
}
