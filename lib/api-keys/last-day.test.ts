import { expect, test } from "vitest";
import { endOfDay, lastDayWithin } from "./last-day.ts";

test("a key that works until a day expires at the end of the day in UTC", () => {
  expect(endOfDay("2026-11-30")).toEqual(new Date("2026-11-30T23:59:59Z"));
  expect(lastDayWithin(endOfDay("2026-11-30"))).toBe("2026-11-30");
});

test.each([
  ["2026-11-30T23:59:59.999Z", "2026-11-30"],
  ["2026-11-30T23:59:58Z", "2026-11-29"],
  ["2026-11-30T12:00:00Z", "2026-11-29"],
  ["2026-12-01T00:00:00Z", "2026-11-30"],
])("a key that expires at %s can be restricted to %s", (expiry, lastDay) => {
  expect(lastDayWithin(new Date(expiry))).toBe(lastDay);
  expect(endOfDay(lastDay).getTime()).toBeLessThanOrEqual(Date.parse(expiry));
});

test("a key that expires earlier or later today cannot be restricted to today", () => {
  const today = "2026-11-30";
  for (const time of ["00:00:01", "09:00:00", "21:00:00"]) {
    expect(lastDayWithin(new Date(`${today}T${time}Z`)) < today, time).toBe(true);
  }
});
