/** First version. */
export function rerank(_queryText: string, candidates: { score: number; title: string; content: string }[]): number[] {
  return candidates.map(({ score }) => score);
}
