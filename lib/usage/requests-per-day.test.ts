import { expect, test } from "vitest";
import { requestsPerDay } from "./requests-per-day.ts";

test.each([
  [[0, 0, 19], "all of them today"],
  [[0, 20, 10], "15 a day"],
  [[9_000, 0, 0], "3,000 a day"],
  [[1, 0, 0, 0], "less than one a day"],
  [[0, 0], "none"],
])("%j requests are %s", (days, words) => {
  expect(requestsPerDay(days.map((requests) => ({ requests })))).toBe(words);
});
