/** Below this probability, a difference is unlikely to be chance. */
const SIGNIFICANT = 0.05;

/**
 * Compares two ways of doing the same questions by the questions that only one of them got right: the exact form of
 * McNemar's test (McNemar 1947), which is a two-sided sign test.
 * @param better number of questions that only the second got right
 * @param worse number of questions that only the first got right
 * @returns the probability of such a difference, or a larger one, by chance
 */
export function signTest(better: number, worse: number): { probability: number; isSignificant: boolean } {
  const count = better + worse;
  let term = 0.5 ** count;
  let tail = 0;
  for (let wins = 0; wins <= Math.min(better, worse); wins++) {
    tail += term;
    term *= (count - wins) / (wins + 1);
  }
  const probability = Math.min(1, 2 * tail);
  return { probability, isSignificant: probability < SIGNIFICANT };
}
