import type { Candidate } from "./evidence.ts";
import { isStrict, typeMatch } from "./question-type.ts";
import type { QuestionType } from "./type-evidence.ts";

/** What decides whether to answer, beside the best candidate's own evidence. */
export interface Surroundings {
  /** Scores of the retrieved chunks, best first. */
  scores: readonly number[];
  /** Relevance of the candidates, best first. */
  relevances: readonly number[];
  type: QuestionType | null;
}

/**
 * Logistic regression on 464 cases: the fit half of bench/answers, and its answerable questions without the chunks that
 * answer them. AUC .87 by cross-validation, .89 on the questions alone. The cosine is that of all-MiniLM-L6-v2; that of
 * the topic added nothing.
 */
const WEIGHT = {
  lexical: 2.2,
  unit: 1.9,
  typeMissing: -1.7,
  typeUnsure: -1.2,
  scoreGap: 0.6,
  margin: 1.8,
  score: 2.1,
  decision: 1.2,
  person: -0.75,
};
const BIAS = -4.75;
/** Log odds from which to answer: fewer right answers are lost than wrong ones avoided. */
const ODDS_MIN = -0.7;
/** Typical values, for when there are fewer than five. */
const USUAL = { scoreGap: 0.2, margin: 0.5 };
const FIFTH = 4;
/** Below both, the question is about something else, whatever the ranks say. */
const OFF_TOPIC = { lexical: 0.5, unit: 0.3 };
const LEXICAL_MIN = 0.45;

/** Whether a candidate is enough evidence to answer at all. */
export function isSupported(candidate: Candidate, { scores, relevances, type }: Surroundings): boolean {
  const { lexical, similarity, typed } = candidate;
  if (similarity === null) return lexical >= LEXICAL_MIN;
  if (lexical < OFF_TOPIC.lexical && similarity.unit < OFF_TOPIC.unit) return false;
  const odds =
    BIAS +
    WEIGHT.lexical * lexical +
    WEIGHT.unit * similarity.unit +
    typeWeight(typed, type) +
    WEIGHT.scoreGap * (lead(scores) ?? USUAL.scoreGap) +
    WEIGHT.margin * (lead(relevances) ?? USUAL.margin) +
    WEIGHT.score * (scores[0] ?? 0);
  return odds >= ODDS_MIN;
}

function typeWeight(typed: number, type: QuestionType | null): number {
  if (type === "decision" || type === "person") return WEIGHT[type];
  if (!isStrict(type) || typed === 1) return 0;
  return typed === 0 ? WEIGHT.typeMissing : WEIGHT.typeUnsure;
}

/** By how much the first is above the fifth. */
function lead(values: readonly number[]): number | null {
  const [first] = values;
  const fifth = values[FIFTH];
  return first === undefined || fifth === undefined ? null : first - fifth;
}

/** Whether an answer holds the type of fact that the question asks for, where nothing without it can be the answer. */
export function isTypeHeld(chosen: readonly Candidate[], type: QuestionType | null): boolean {
  return !isStrict(type) || chosen.some(({ unit }) => typeMatch(unit.text, type) > 0);
}
