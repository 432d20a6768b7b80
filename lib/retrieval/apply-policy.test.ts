import { expect, test } from "vitest";
import { type KeyPolicy, keyPolicy } from "../db/stored-json.ts";
import type { EffectiveFilters } from "../search-index/source-filters.ts";
import { applyPolicy } from "./apply-policy.ts";
import { type RetrieveInput, retrieveRequest } from "./schema.ts";

function apply(policy: KeyPolicy, filters: RetrieveInput["filters"] = {}, rest: Partial<RetrieveInput> = {}) {
  return applyPolicy(policy, retrieveRequest.parse({ queryText: "q", filters, ...rest }));
}

const cases: [string, KeyPolicy, RetrieveInput["filters"], EffectiveFilters | "nothing"][] = [
  ["no policy, no filter", {}, {}, {}],
  ["no policy keeps the filters", {}, { audience: "a", path: ["x"] }, { audience: ["a"], path: ["x"] }],
  ["no filter keeps the policy", { audience: ["a", "b"] }, {}, { audience: ["a", "b"] }],
  ["an audience inside", { audience: ["a", "b"] }, { audience: "b" }, { audience: ["b"] }],
  ["an audience outside", { audience: ["a", "b"] }, { audience: "c" }, "nothing"],
  ["types inside", { sourceTypes: ["qa"] }, { sourceTypes: ["document", "qa"] }, { sourceTypes: ["qa"] }],
  ["types outside", { sourceTypes: ["qa"] }, { sourceTypes: ["document"] }, "nothing"],
  ["an empty filter restricts nothing", { sourceTypes: ["qa"] }, { sourceTypes: [] }, { sourceTypes: ["qa"] }],
  ["a category inside", { contentCategory: ["a", "b"] }, { contentCategory: "a" }, { contentCategory: ["a"] }],
  ["categories outside", { contentCategory: ["a"] }, { contentCategory: ["b", "c"] }, "nothing"],
  ["a deeper path", { path: ["x"] }, { path: ["x", "y"] }, { path: ["x", "y"] }],
  ["a shorter path", { path: ["x", "y"] }, { path: ["x"] }, { path: ["x", "y"] }],
  ["the same path", { path: ["x"] }, { path: ["x"] }, { path: ["x"] }],
  ["another path", { path: ["x", "y"] }, { path: ["x", "z"] }, "nothing"],
  ["an empty path filter", { path: ["x"] }, { path: [] }, { path: ["x"] }],
  ["an empty audience list", { audience: [] }, {}, "nothing"],
  ["an empty type list", { sourceTypes: [] }, { sourceTypes: ["qa"] }, "nothing"],
  ["an empty category list", { contentCategory: [] }, {}, "nothing"],
  ["an empty path list", { path: [] }, { path: ["x"] }, "nothing"],
  ["one entry outside is enough", { audience: ["a"], path: ["x"] }, { audience: "b", path: ["x"] }, "nothing"],
];

test.each(cases)("%s", (_, policy, filters, expected) => {
  expect(apply(policy, filters).filters).toEqual(expected);
});

test("a limit above the key's is lowered to it, a smaller limit stays", () => {
  expect(apply({ limit: 5 }, {}, { limit: 50 }).limit).toBe(5);
  expect(apply({ limit: 5 }, {}, { limit: 3 }).limit).toBe(3);
  expect(apply({ limit: 5 }).limit).toBe(5);
  expect(apply({}, {}, { limit: 100 }).limit).toBe(100);
});

test("a key without answers gets Forbidden for an answer but may ask for chunks", () => {
  const wanted = { returnMode: "ai_generated_answer" } as const;
  expect(() => apply({ answers: false }, {}, wanted)).toThrow(expect.objectContaining({ error: "Forbidden" }));
  expect(apply({ answers: false }).filters).toEqual({});
  expect(apply({ answers: true }, {}, wanted).filters).toEqual({});
  expect(apply({}, {}, wanted).filters).toEqual({});
});

test("the error for an unknown policy entry names it and the allowed ones", () => {
  const message = keyPolicy.safeParse({ sources: ["a"] }).error?.issues[0]?.message;
  expect(message).toContain('"sources"');
  expect(message).toContain("sourceTypes");
});
