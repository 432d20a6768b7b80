import { expect, test } from "vitest";
import { countFacets, type LabelCount } from "./facets.ts";

function labels(count: number, given: Partial<LabelCount> = {}): LabelCount {
  return {
    type: "document",
    audience: ["copilot"],
    category: "general",
    path: [],
    status: "ready",
    verification: null,
    count,
    ...given,
  };
}

const ALL = { type: null, audience: null, category: null, path: [], status: null, verification: null };
const KNOWN = [
  labels(4, { category: "billing", path: ["Support", "Billing"] }),
  labels(2, { category: "network", path: ["Support", "Network"], audience: ["copilot", "public"] }),
  labels(3, { type: "qa", category: "billing" }),
  labels(1, { status: "failed" }),
  labels(9, { status: "deleted", category: "gone" }),
];

test("a facet counts sources that pass all other filters", () => {
  const { total, facets } = countFacets(KNOWN, { ...ALL, type: "document", category: "billing" });
  expect(total).toBe(4);
  expect(facets.types).toEqual([
    { value: "document", count: 4 },
    { value: "qa", count: 3 },
  ]);
  expect(facets.categories).toEqual([
    { value: "billing", count: 4 },
    { value: "network", count: 2 },
    { value: "general", count: 1 },
  ]);
  expect(facets.audiences).toEqual([{ value: "copilot", count: 4 }]);
});

test("counts a source once for each of its audiences", () => {
  const { facets } = countFacets(KNOWN, ALL);
  expect(facets.audiences).toEqual([
    { value: "copilot", count: 10 },
    { value: "public", count: 2 },
  ]);
});

test("lists the path segments of the next level", () => {
  expect(countFacets(KNOWN, ALL).facets.paths).toEqual([{ value: "Support", count: 6 }]);
  const below = countFacets(KNOWN, { ...ALL, path: ["Support"] });
  expect(below.total).toBe(6);
  expect(below.facets.paths.map(({ value }) => value)).toEqual(["Billing", "Network"]);
  expect(countFacets(KNOWN, { ...ALL, path: ["Billing"] }).total).toBe(0);
});

test("counts deleted sources only in their own status", () => {
  const { total, facets } = countFacets(KNOWN, ALL);
  expect(total).toBe(10);
  expect(facets.categories.map(({ value }) => value)).not.toContain("gone");
  expect(facets.statuses).toContainEqual({ value: "deleted", count: 9 });
  expect(countFacets(KNOWN, { ...ALL, status: "deleted" }).total).toBe(9);
});

test("lists the selected value even when no source has it", () => {
  const { facets } = countFacets(KNOWN, { ...ALL, type: "qa", category: "network" });
  expect(facets.categories).toContainEqual({ value: "network", count: 0 });
});
