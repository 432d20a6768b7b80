import { expect, test } from "vitest";
import { vectorSearchInput } from "./schema.ts";

test("a query has the limit of a question, counted as JavaScript counts", () => {
  const queries = ["😀".repeat(4_000), "😀".repeat(4_001)].map((query) => vectorSearchInput.safeParse({ query }));
  expect(queries.map(({ success }) => success)).toEqual([true, false]);
  expect(vectorSearchInput.safeParse({ query: ["😀".repeat(4_001)] }).success).toBe(false);
});
