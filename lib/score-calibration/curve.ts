import type { CalibrationCurve } from "../db/stored-json.ts";

/** The part of the score itself that keeps different scores different where the curve is flat. */
const OWN_PART = 0.01;

/**
 * The calibrated score: the curve's chance at a score, between its corners by a straight line and outside by the nearest
 * corner. It rises strictly, so that calibrated results keep their order. Pure.
 */
export function calibrated(curve: CalibrationCurve, score: number): number {
  return (1 - OWN_PART) * chanceAt(curve, score) + OWN_PART * score;
}

function chanceAt(curve: CalibrationCurve, score: number): number {
  const next = curve.findIndex((corner) => corner.score >= score);
  const right = curve.at(next);
  const left = curve[next - 1];
  if (!right) return score;
  if (next < 1 || !left) return right.chance;
  const share = (score - left.score) / (right.score - left.score);
  return left.chance + share * (right.chance - left.chance);
}
