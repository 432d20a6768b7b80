import type { ServedContent } from "../db/served-content.ts";
import { calibrated } from "../score-calibration/curve.ts";
import type { Hit } from "./hits.ts";
import type { Ranking } from "./rank.ts";
import type { Degraded } from "./rank-context.ts";

/**
 * The ranked hits with their final scores: calibrated where the company wants it, and the stage that scored them last is
 * one that was judged. Their order stays the same.
 * @param degraded what was unavailable: without a stage, scores are not those that were judged
 */
export function calibrateHits(
  { ranked, reranked, reranker }: Pick<Ranking, "ranked" | "reranked" | "reranker">,
  calibration: ServedContent["calibration"],
  degraded: readonly Degraded[],
): { hits: Hit[]; isCalibrated: boolean } {
  // without a name in calibrations of earlier releases, which keep their effect
  const isOther = reranked !== null && calibration?.reranker !== undefined && calibration.reranker !== reranker;
  if (!calibration || degraded.length > 0 || isOther) return { hits: ranked, isCalibrated: false };
  const curve = calibration.curves[reranked === null ? "combined" : "reranked"];
  const hits = ranked.map((hit) => ({ ...hit, score: calibrated(curve, hit.score), rawScore: hit.score }));
  return { hits, isCalibrated: true };
}
