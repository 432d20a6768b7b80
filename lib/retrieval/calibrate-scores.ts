import type { ServedContent } from "../db/served-content.ts";
import { calibrated } from "../score-calibration/curve.ts";
import type { Ranking } from "./rank.ts";
import type { Degraded } from "./rank-context.ts";
import type { ScoredChunk } from "./scored-chunks.ts";

/**
 * The ranked chunks with their final scores: calibrated where the company wants it, and the stage that scored them last
 * is one that was judged. Their order stays the same.
 * @param degraded what was unavailable: without a stage of the search, scores are not those that were judged
 */
export function calibrateScores(
  { ranked, reranked, reranker }: Pick<Ranking, "ranked" | "reranked" | "reranker">,
  calibration: ServedContent["calibration"],
  degraded: readonly Degraded[],
): { chunks: ScoredChunk[]; isCalibrated: boolean } {
  // calibrations of earlier releases name no reranker and still apply
  const isOther = reranked !== null && calibration?.reranker !== undefined && calibration.reranker !== reranker;
  const isComplete = degraded.every((missing) => missing === "generation");
  if (!calibration || !isComplete || isOther) return { chunks: ranked, isCalibrated: false };
  const curve = calibration.curves[reranked === null ? "combined" : "reranked"];
  const chunks = ranked.map((scored) => ({
    ...scored,
    score: calibrated(curve, scored.score),
    rawScore: scored.score,
  }));
  return { chunks, isCalibrated: true };
}
