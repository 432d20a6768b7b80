import { expect, test } from "vitest";
import { readDay } from "./read-day.ts";

test.each([
  ["2026-01-31", "2026-01-31"],
  [" 2026/1/5 ", "2026-01-05"],
  ["2026.12.24", "2026-12-24"],
  ["20261224", "2026-12-24"],
  ["2028-02-29", "2028-02-29"],
  ["2026-02-29", null],
  ["2026-13-01", null],
  ["31.01.2026", null],
  ["2026-01", null],
  ["", null],
])("%s is %s", (text, day) => {
  expect(readDay(text)).toBe(day);
});
