import type { SourceType } from "../../db/column-values.ts";
import type { SourceStatus } from "../values.ts";
import type { BrowseQuery } from "./browse-query.ts";

/** How many sources have exactly these labels. */
export interface LabelCount {
  type: SourceType;
  audience: string[];
  category: string;
  path: string[];
  status: SourceStatus;
  count: number;
}

/** A value that one can narrow by, and what that would leave. */
export interface Facet<Value extends string = string> {
  value: Value;
  count: number;
}

export interface Facets {
  types: Facet<SourceType>[];
  audiences: Facet[];
  categories: Facet[];
  /** The segments below the path that is chosen. */
  paths: Facet[];
  statuses: Facet<SourceStatus>[];
}

type Filters = Pick<BrowseQuery, "type" | "audience" | "category" | "path" | "status">;

const NAMES = ["type", "audience", "category", "path", "status"] as const satisfies (keyof Filters)[];

const TESTS: { [Name in keyof Filters]: (labels: LabelCount, filters: Filters) => boolean } = {
  type: (labels, { type }) => type === null || labels.type === type,
  audience: (labels, { audience }) => audience === null || labels.audience.includes(audience),
  category: (labels, { category }) => category === null || labels.category === category,
  path: (labels, { path }) => path.every((segment, depth) => labels.path[depth] === segment),
  status: (labels, { status }) => (status === null ? labels.status !== "deleted" : labels.status === status),
};

/**
 * Each facet counts what all other filters leave, so that its values can be exchanged for one another; the path counts
 * below its own choice. A chosen value is listed even when nothing is left of it.
 * @returns the facets, and how many sources pass all filters
 */
export function countFacets(labels: LabelCount[], filters: Filters): { total: number; facets: Facets } {
  const passing = (but: keyof Filters | null) => labels.filter((each) => passes(each, filters, but));
  const all = passing(null);
  return {
    total: all.reduce((sum, { count }) => sum + count, 0),
    facets: {
      types: tally(passing("type"), ({ type }) => [type], filters.type),
      audiences: tally(passing("audience"), ({ audience }) => audience, filters.audience),
      categories: tally(passing("category"), ({ category }) => [category], filters.category),
      paths: tally(all, ({ path }) => path.slice(filters.path.length, filters.path.length + 1), null),
      statuses: tally(passing("status"), ({ status }) => [status], filters.status),
    },
  };
}

/** Whether labels pass all filters but one. */
function passes(labels: LabelCount, filters: Filters, but: keyof Filters | null): boolean {
  // what is deleted shows in no facet but its own
  if (but !== "status" && filters.status === null && labels.status === "deleted") return false;
  return NAMES.every((name) => name === but || TESTS[name](labels, filters));
}

function tally<Value extends string>(
  labels: LabelCount[],
  valuesOf: (labels: LabelCount) => Value[],
  chosen: Value | null,
): Facet<Value>[] {
  const counts = new Map<Value, number>(chosen === null ? [] : [[chosen, 0]]);
  for (const each of labels) {
    for (const value of new Set(valuesOf(each))) counts.set(value, (counts.get(value) ?? 0) + each.count);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value));
}
