import { expect, test } from "vitest";
import { addMonths, clampDay, dayAfterKey, weeksOf } from "./calendar-days.ts";

test("a month is shown in weeks from Monday on", () => {
  // 1 November 2026 is a Sunday, and 30 November a Monday
  const weeks = weeksOf("2026-11-23");
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect(weeks[5]).toEqual(["2026-11-30", null, null, null, null, null, null]);
  // four whole weeks
  expect(weeksOf("2027-02-10").flat()).toEqual(weeksOf("2027-02-01").flat());
  expect(weeksOf("2027-02-10")).toHaveLength(4);
});

test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2026-12-15", 1, "2027-01-15"],
  ["2026-03-31", -1, "2026-02-28"],
  ["2028-02-29", 12, "2029-02-28"],
  ["9999-12-01", 1, "9999-12-31"],
  ["1000-06-15", -12, "1000-01-01"],
])("%s and %i months is %s", (day, months, expected) => {
  expect(addMonths(day, months)).toBe(expected);
});

test.each([
  ["ArrowLeft", false, "2026-02-28"],
  ["ArrowDown", false, "2026-03-08"],
  ["ArrowUp", false, "2026-02-22"],
  ["Home", false, "2026-02-23"],
  ["End", false, "2026-03-01"],
  ["PageUp", false, "2026-02-01"],
  ["PageDown", true, "2027-03-01"],
  ["a", false, null],
])("from Sunday, 1 March, %s (with Shift: %s) moves to %s", (key, shiftKey, expected) => {
  expect(dayAfterKey("2026-03-01", { key, shiftKey })).toBe(expected);
});

test("a day outside the range becomes its first or last day", () => {
  const range = { min: "2026-01-10", max: "2026-01-20" };
  expect(clampDay("2026-01-01", range)).toBe("2026-01-10");
  expect(clampDay("2026-01-15", range)).toBe("2026-01-15");
  expect(clampDay("2026-02-01", range)).toBe("2026-01-20");
  expect(clampDay("2026-02-01", {})).toBe("2026-02-01");
});

test("days stay within the years 1000 to 9999", () => {
  expect(dayAfterKey("9999-12-31", { key: "ArrowRight", shiftKey: false })).toBe("9999-12-31");
  expect(dayAfterKey("1000-01-01", { key: "ArrowUp", shiftKey: false })).toBe("1000-01-01");
  expect(weeksOf("9999-12-31").flat().filter(Boolean)).toHaveLength(31);
});
