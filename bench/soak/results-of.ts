import { retrieveResponse } from "../../lib/retrieval/schema.ts";

/** The part of a response that must be equal for two companies with the same knowledge. */
export function resultsOf(body: unknown) {
  return retrieveResponse
    .parse(body)
    .results.map(({ score, payload: { sourceId, content } }) => ({ score, sourceId, content }));
}
