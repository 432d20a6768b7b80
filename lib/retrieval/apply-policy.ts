import type { KeyPolicy } from "../db/stored-json.ts";
import { AppError } from "../errors.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import type { RetrieveFilters, RetrieveRequest } from "./schema.ts";

interface EffectiveRequest {
  /** `"nothing"`: the key and the request have no sources in common, so there are no results. */
  filters: EffectiveFilters | "nothing";
  limit: number;
}

/**
 * Intersects what a key allows with what a request asks for. All filters of a search come from here.
 * @throws {AppError} Forbidden when the request asks for an answer that the key does not allow
 */
export function applyPolicy(policy: KeyPolicy, request: RetrieveRequest): EffectiveRequest {
  if (policy.answers === false && request.returnMode === "ai_generated_answer") {
    throw new AppError(
      "Forbidden",
      'This API key does not allow AI answers: send "returnMode": "chunks_only", or use another key',
    );
  }
  return {
    filters: intersectFilters(policy, request.filters),
    limit: Math.min(request.limit, policy.limit ?? request.limit),
  };
}

/** What a key may see, without a request: for routes that list or read sources. */
export function filtersOfPolicy(policy: KeyPolicy): EffectiveFilters | "nothing" {
  return intersectFilters(policy, {});
}

function intersectFilters(policy: KeyPolicy, filters: RetrieveFilters): EffectiveFilters | "nothing" {
  const audience = intersect(policy.audience, filters.audience === undefined ? undefined : [filters.audience]);
  const sourceTypes = intersect(policy.sourceTypes, filters.sourceTypes);
  const contentCategory = intersect(policy.contentCategory, filters.contentCategory);
  const path = longerPath(policy.path, filters.path);
  if ([audience, sourceTypes, contentCategory, path].some((list) => list?.length === 0)) return "nothing";
  return {
    ...(audience && { audience }),
    ...(sourceTypes && { sourceTypes }),
    ...(contentCategory && { contentCategory }),
    ...(path && { path }),
    ...(filters.metadata && { metadata: filters.metadata }),
  };
}

function intersect<Item>(allowed: Item[] | undefined, asked: Item[] | undefined): Item[] | undefined {
  if (!allowed || !asked) return allowed ?? asked;
  return allowed.filter((item) => asked.includes(item));
}

/** The longer of two path prefixes if it starts with the shorter one; otherwise, or when nothing is allowed, `[]`. */
function longerPath(allowed: string[] | undefined, asked: string[] | undefined): string[] | undefined {
  if (!allowed || !asked || allowed.length === 0) return allowed ?? asked;
  const [shorter, longer] = allowed.length <= asked.length ? [allowed, asked] : [asked, allowed];
  return shorter.every((segment, depth) => segment === longer[depth]) ? longer : [];
}
