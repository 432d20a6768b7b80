import { expect, test } from "vitest";
import { calibrateScores } from "./calibrate-scores.ts";
import type { Degraded } from "./rank-context.ts";

const curve = [{ score: 0.5, chance: 0.5 }];
const calibration = { curves: { combined: curve, reranked: curve }, reranker: null };
const ranking = { ranked: [], reranked: null, reranker: null };

test.each<[Degraded[], boolean]>([
  [[], true],
  [["generation"], true],
  [["embedding"], false],
  [["generation", "rerank"], false],
])("without %j, whether scores are calibrated is %s", (missing, isCalibrated) => {
  expect(calibrateScores(ranking, calibration, missing)).toEqual({ chunks: [], isCalibrated });
});
