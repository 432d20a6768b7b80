import { expect, test, vi } from "vitest";
import { dayLabel, dayWords, instantWords, monthLabel } from "./time-words.ts";

test("an instant is written in UTC, and names the time zone", () => {
  expect(instantWords(new Date("2026-11-21T23:59:59Z"), "UTC")).toBe("21 Nov 2026, 23:59 UTC");
  expect(instantWords(new Date("2026-06-30T22:30:00Z"), "UTC")).toBe("30 Jun 2026, 22:30 UTC");
});

test("an instant is written in the reader's own time zone", () => {
  vi.stubEnv("TZ", "Europe/Rome");
  expect(instantWords(new Date("2026-11-21T23:59:59Z"), undefined)).toBe("22 Nov 2026, 00:59 CET");
  vi.unstubAllEnvs();
});

test("a day is the same in every time zone", () => {
  expect(dayWords("2027-06-30")).toBe("30 Jun 2027");
  expect(monthLabel("2027-06-30")).toBe("June 2027");
  expect(dayLabel("2027-06-30")).toMatch(/^Wednesday,? 30 June 2027$/);
});
