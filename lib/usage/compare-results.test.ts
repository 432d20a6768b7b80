import { expect, test } from "vitest";
import { compareResults } from "./compare-results.ts";

const result = (id: string, sourceId: string, score: number, headings: string[] = []) => ({
  ...{ id, sourceId, score, headings },
});

const changes = (...runs: Parameters<typeof compareResults>) =>
  compareResults(...runs).map(({ change, result: { id }, before, after }) => [
    change,
    id,
    before?.rank ?? null,
    after?.rank ?? null,
  ]);

test("tells what stayed, moved, came and left", () => {
  const before = [result("a", "A", 0.9), result("b", "B", 0.8), result("c", "C", 0.7)];
  const after = [result("a", "A", 0.9), result("n", "N", 0.85), result("b", "B", 0.8)];
  expect(changes(before, after)).toEqual([
    ["same", "a", 1, 1],
    ["came", "n", null, 2],
    ["moved", "b", 2, 3],
    ["left", "c", 3, null],
  ]);
});

test("matches an edited text by its source and headings, once", () => {
  const before = [result("old", "A", 0.9, ["Prices"]), result("other", "A", 0.8, ["Hours"])];
  const after = [result("new", "A", 0.95, ["Prices"]), result("more", "A", 0.9, ["Prices"])];
  expect(changes(before, after)).toEqual([
    ["edited", "new", 1, 1],
    ["came", "more", null, 2],
    ["left", "other", 2, null],
  ]);
});

test("a chunk that is still there is never the earlier text of another one", () => {
  const before = [result("a", "A", 0.9)];
  const after = [result("new", "A", 0.95), result("a", "A", 0.9)];
  expect(changes(before, after)).toEqual([
    ["came", "new", null, 1],
    ["moved", "a", 1, 2],
  ]);
});
