import { expect, test } from "vitest";
import { describeAge } from "./relative-time.tsx";

const NOW = Date.parse("2026-11-23T12:00:00Z");

test.each([
  ["2026-11-23T11:59:30Z", "just now"],
  ["2026-11-23T12:00:20Z", "just now"],
  ["2026-11-23T12:00:45Z", "in a moment"],
  ["2026-11-23T11:59:00Z", "1 minute ago"],
  ["2026-11-23T09:00:00Z", "3 hours ago"],
  ["2026-11-22T12:00:00Z", "yesterday"],
  ["2026-11-25T12:00:00Z", "in 2 days"],
  ["2026-11-09T12:00:00Z", "2 weeks ago"],
  ["2024-11-23T12:00:00Z", "2 years ago"],
])("%s is %s", (moment, words) => {
  expect(describeAge(Date.parse(moment), NOW)).toBe(words);
});
