import { expect, test, vi } from "vitest";
import { stopwatch } from "./stopwatch.ts";

test("stages may run in parallel; a stage that runs twice adds up its times and keeps its first start", async () => {
  let now = 100;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const watch = stopwatch();
  const words = Promise.withResolvers<void>();
  now = 102;
  const both = [watch.time("lexical", () => words.promise), watch.time("vector", async () => {})];
  await both[1];
  now = 107;
  words.resolve();
  await Promise.all(both);
  expect(watch.time("vector", () => (now += 3))).toBe(110);
  expect(watch.starts).toEqual({ lexical: 2, vector: 2 });
  expect(watch.stages).toEqual({ lexical: 5, vector: 3 });
  vi.restoreAllMocks();
});

test("after the caller has left, no further stage starts", () => {
  const caller = new AbortController();
  const watch = stopwatch(caller.signal);
  expect(watch.time("embed", () => 1)).toBe(1);
  caller.abort(new Error("left"));
  const search = vi.fn();
  expect(() => watch.time("search", search)).toThrow("left");
  expect(search).not.toHaveBeenCalled();
  expect(Object.keys(watch.stages)).toEqual(["embed"]);
});
