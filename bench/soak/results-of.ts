import { retrieveResponse } from "../../lib/retrieval/schema.ts";

/** What two companies with the same knowledge must answer alike. */
export function resultsOf(body: unknown) {
  return retrieveResponse
    .parse(body)
    .results.map(({ score, payload: { sourceId, content } }) => ({ score, sourceId, content }));
}
