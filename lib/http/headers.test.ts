import { expect, test } from "vitest";
import { nameList, serverTiming } from "./headers.ts";

test("Server-Timing has one entry a stage", () => {
  expect(serverTiming({ embed: 2.345, search: 10 })).toEqual({ "Server-Timing": "embed;dur=2.3, search;dur=10.0" });
  expect(serverTiming({})).toEqual({});
});

test("a list that is empty has no header", () => {
  expect(nameList("X-Names", ["a", "b"])).toEqual({ "X-Names": "a, b" });
  expect(nameList("X-Names", [])).toEqual({});
});
