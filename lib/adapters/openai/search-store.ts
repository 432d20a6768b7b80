import { type AuthenticatedKey, keyActor } from "../../api-keys/authenticate.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { validationError } from "../../errors.ts";
import { rateLimitOf } from "../../http/admit.ts";
import { rowIdsOf } from "../../knowledge/browse/page-sources.ts";
import { consumeRateLimit, shareOf } from "../../rate-limit.ts";
import { foundIn, retrievalOptions, streamRetrieval } from "../../retrieval/service.ts";
import { returnValueOf } from "../../return-value-of.ts";
import { mergeResults, toRetrieveRequests, toSearchEntries } from "./map.ts";
import type { VectorSearch } from "./schema.ts";

interface SearchCall {
  scope: TenantScope;
  key: AuthenticatedKey;
  requestId: string;
  signal: AbortSignal;
  publicUrl: string;
}

/**
 * Searches for every query, each of which counts as a request, and returns the best score of each chunk.
 * @returns also the headers of the rate limit when there are several queries
 * @throws {AppError} ValidationError for more queries than the rate limit ever allows; TooManyRequests
 */
export async function searchStore({ scope, key, requestId, signal, publicUrl }: SearchCall, given: VectorSearch) {
  const options = retrievalOptions(key, { requestId, signal, via: "openai" });
  const requests = toRetrieveRequests(given);
  const headers = new Headers();
  // the first was counted when the request was admitted
  const points = requests.length - 1;
  if (points > 0) {
    const rateLimit = rateLimitOf(key);
    requireFewerQueries(requests.length, rateLimit.perMinute);
    await consumeRateLimit({ ...rateLimit, points }, headers);
  }
  const searches = requests.map((request, index) =>
    // the log has a row for each query; the first has the request's own id
    streamRetrieval(scope, request, index === 0 ? options : { ...options, requestId: crypto.randomUUID() }),
  );
  const found = await Promise.all(searches.map(foundIn));
  const limit = Math.min(given.max_num_results, key.policy.limit ?? given.max_num_results);
  const results = mergeResults(
    found.map(({ response }) => response.results),
    limit,
  );
  const rowIds = await rowIdsOf(scope, keyActor(key), [...new Set(results.map(({ payload }) => payload.sourceId))]);
  // a search is logged at its end, so the log has none of a request that fails, and its error under the request's id
  await Promise.all(searches.map(returnValueOf));
  return {
    body: {
      object: "vector_store.search_results.page" as const,
      search_query: given.query,
      data: toSearchEntries(results, rowIds, publicUrl),
      has_more: false as const,
      next_page: null,
    },
    found,
    headers: Object.fromEntries(headers),
  };
}

/** Refuses queries that count as more requests than a minute has: a retry would fail too. */
function requireFewerQueries(queries: number, perMinute: number): void {
  const allowed = shareOf(perMinute);
  if (perMinute === 0 || queries <= allowed) return;
  const message = `must have at most ${allowed}, because each query counts towards the rate limit`;
  throw validationError([{ path: "query", message }]);
}
