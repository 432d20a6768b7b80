import type { JudgedScore } from "../db/stored-json.ts";
import { calibrated } from "./curve.ts";
import { fitIsotonic } from "./isotonic.ts";

const BINS = 10;
const FOLDS = 5;

/**
 * The expected calibration error of scores as chances, from 0 to 1: over ten bins of equal width, the mean distance
 * between the mean score and the share of right results (Naeini, Cooper and Hauskrecht 2015). Pure.
 */
export function calibrationError(judged: readonly JudgedScore[]): number {
  const bins = Map.groupBy(judged, ({ score }) => Math.min(BINS - 1, Math.floor(score * BINS)));
  const distances = [...bins.values()].map((results) =>
    Math.abs(results.reduce((sum, { score, right }) => sum + score - Number(right), 0)),
  );
  return distances.reduce((sum, distance) => sum + distance, 0) / Math.max(1, judged.length);
}

/**
 * The calibration error on questions that the calibration has not seen: each fifth of the questions is calibrated by the
 * other four.
 * @param questions the judged results of each question
 */
export function crossValidatedError(questions: readonly (readonly JudgedScore[])[]): number {
  const calibratedResults = Array.from({ length: FOLDS }, (_, fold) => {
    const isHeldOut = (index: number) => index % FOLDS === fold;
    const curve = fitIsotonic(questions.filter((_, index) => !isHeldOut(index)).flat());
    const heldOut = questions.filter((_, index) => isHeldOut(index)).flat();
    return heldOut.map(({ score, right }) => ({ score: calibrated(curve, score), right }));
  });
  return calibrationError(calibratedResults.flat());
}
