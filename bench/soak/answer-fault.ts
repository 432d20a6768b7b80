/**
 * What is wrong with a response: null for an answer, and for a refusal that says when to retry. Pure.
 * @param results the body of a retrieval, which must have results; null for other requests
 */
export function answerFault({ status, headers }: Pick<Response, "status" | "headers">, results: string | null) {
  if (status === 503) return headers.has("retry-after") ? null : "503 without Retry-After";
  if (status !== 200) return `status ${status}`;
  const degraded = headers.get("x-ragstone-degraded");
  if (degraded) return `degraded: ${degraded}`;
  // a search in the text, because parsing would cost the machine of a measurement more
  return results === null || results.includes('"results":[{') ? null : "no results";
}

/** How often each text occurs: `2 × status 500, 1 × no results`, or `none`. Pure. */
export function countedTexts(texts: string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, all]) => `${all.length} × ${text}`);
  return counts.join(", ") || "none";
}
