import type { CalibrationCurve, JudgedResults, JudgedScore, ScoreCalibration } from "../db/stored-json.ts";
import { calibrationError, crossValidatedError } from "./calibration-error.ts";
import { fitIsotonic } from "./isotonic.ts";

/** Fewer judged questions say too little about other questions. */
export const JUDGED_QUESTIONS_MIN = 20;
const DECIMALS = 6;

/**
 * Fits the calibration of a company's scores.
 * @param questions the judged results of each question
 * @param stage the last stage that scores a request by default
 * @returns null while there are too few questions, or none with a right result
 */
export function measureCalibration(
  questions: readonly JudgedResults[],
  stage: keyof JudgedResults,
  now: Date,
): ScoreCalibration | null {
  const ofStage = questions.map((results) => results[stage]);
  if (questions.length < JUDGED_QUESTIONS_MIN || !ofStage.flat().some(({ right }) => right)) return null;
  return {
    curves: {
      combined: storedCurve(questions.flatMap(({ combined }) => combined)),
      reranked: storedCurve(questions.flatMap(({ reranked }) => reranked)),
    },
    questions: questions.length,
    results: ofStage.flat().length,
    error: { before: calibrationError(ofStage.flat()), after: crossValidatedError(ofStage) },
    at: now.toISOString(),
  };
}

/** Rounded, because it is read with every request. */
function storedCurve(judged: JudgedScore[]): CalibrationCurve {
  const rounded = judged.map(({ score, right }) => ({ score: Number(score.toFixed(DECIMALS)), right }));
  return fitIsotonic(rounded).map(({ score, chance }) => ({
    score: Number(score.toFixed(DECIMALS)),
    chance: Number(chance.toFixed(DECIMALS)),
  }));
}
