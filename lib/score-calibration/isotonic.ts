import type { CalibrationCurve, JudgedScore } from "../db/stored-json.ts";

interface Block {
  scores: number;
  right: number;
  count: number;
}

/**
 * The monotone curve from scores to the share of right results that fits best by least squares: isotonic regression by
 * pool-adjacent-violators (Ayer et al. 1955), as Zadrozny and Elkan (2002) use it to calibrate scores. Each block of
 * pooled results is a corner at its mean score (Oron and Flournoy 2017). Pure.
 */
export function fitIsotonic(judged: readonly JudgedScore[]): CalibrationCurve {
  const blocks: Block[] = [];
  const byScore = Map.groupBy(judged, ({ score }) => score);
  for (const [score, same] of [...byScore].sort(([a], [b]) => a - b)) {
    const right = same.filter((result) => result.right).length;
    let block: Block = { scores: score * same.length, right, count: same.length };
    for (let last = blocks.at(-1); last && shareOf(last) >= shareOf(block); last = blocks.at(-1)) {
      blocks.pop();
      block = { scores: last.scores + block.scores, right: last.right + block.right, count: last.count + block.count };
    }
    blocks.push(block);
  }
  return blocks.map((block) => ({ score: block.scores / block.count, chance: shareOf(block) }));
}

function shareOf({ right, count }: Block): number {
  return right / count;
}
