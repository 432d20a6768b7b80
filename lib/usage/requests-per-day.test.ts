import { expect, test } from "vitest";
import { requestsPerDay } from "./requests-per-day.ts";

test.each([
  [[0, 0, 19], 3, "all of them today"],
  [[0, 20, 10], 2, "15 requests a day"],
  [[9_000, 0, 0], 1, "3,000 requests a day"],
  [[1, 0, 0, 0], 1, "less than one a day"],
  // no requests on the first days, long after the company's first request
  [[0, 0, 30, 30], 1, "15 requests a day"],
  [[0, 0, 0, 19], 1, "5 requests a day"],
  // requests that came before
  [[0, 20, 10], 3, "15 requests a day"],
  [[0, 0], 1, null],
])("%j requests since day %i are %s", (counts, since, words) => {
  const days = counts.map((requests, index) => ({ day: `2026-11-0${index + 1}`, requests }));
  expect(requestsPerDay(days, `2026-11-0${since}`)).toBe(words);
});
