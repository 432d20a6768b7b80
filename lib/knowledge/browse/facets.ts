import type { SourceType } from "../../db/column-values.ts";
import type { SourceStatus, Verification } from "../values.ts";
import type { BrowseQuery } from "./browse-query.ts";

/** How many sources have exactly these labels. */
export interface LabelCount {
  type: SourceType;
  audience: string[];
  category: string;
  path: string[];
  status: SourceStatus;
  /** Null for an answer that was never verified, and for documents. */
  verification: Verification | null;
  count: number;
}

/** A filter value and how many sources have it. */
export interface Facet<Value extends string = string> {
  value: Value;
  count: number;
}

export interface Facets {
  types: Facet<SourceType>[];
  audiences: Facet[];
  categories: Facet[];
  /** Segments directly below the selected path. */
  paths: Facet[];
  statuses: Facet<SourceStatus>[];
  verifications: Facet<Verification>[];
}

type Filters = Pick<BrowseQuery, "type" | "audience" | "category" | "path" | "status" | "verification">;

const NAMES = ["type", "audience", "category", "path", "status", "verification"] as const satisfies (keyof Filters)[];

const TESTS: { [Name in keyof Filters]: (labels: LabelCount, filters: Filters) => boolean } = {
  type: (labels, { type }) => type === null || labels.type === type,
  audience: (labels, { audience }) => audience === null || labels.audience.includes(audience),
  category: (labels, { category }) => category === null || labels.category === category,
  path: (labels, { path }) => path.every((segment, depth) => labels.path[depth] === segment),
  status: (labels, { status }) => (status === null ? labels.status !== "deleted" : labels.status === status),
  verification: (labels, { verification }) => verification === null || labels.verification === verification,
};

/**
 * Counts the values of each facet over the sources that pass all other filters, so that a user can switch between
 * values. Paths count below the selected path. A selected value is listed even when no source has it.
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
      verifications: tally(
        passing("verification"),
        ({ verification }) => (verification ? [verification] : []),
        filters.verification,
      ),
    },
  };
}

/** Whether labels pass all filters except `but`. */
function passes(labels: LabelCount, filters: Filters, but: keyof Filters | null): boolean {
  // deleted sources count only in the status facet
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
