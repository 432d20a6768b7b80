import { expect, it } from "vitest";
import { factsOf, readableFacts } from "./facts.ts";

/** Whether a source states each day that a claim names. */
const statesDays = (source: string, claim: string) =>
  factsOf(claim).days.every((day) => readableFacts(source).days.has(day));

it.each([
  ["valid until 12/31/2025", "December 31, 2025"],
  ["valid until 31/12/2025", "31 December 2025"],
  ["valid until 31.12.2025", "31. Dezember 2025"],
  ["valid until 2025-12-31", "31 dicembre 2025"],
  ["valid until 03/04/25", "3 April 2025"],
  ["valid until 03/04/25", "March 4, 2025"],
])("%j states %j", (source, claim) => {
  expect(statesDays(source, claim)).toBe(true);
});

it.each([
  ["opens on 12/15/2025", "Wednesday"],
  ["opens on 13.19.2025", "Sunday"],
  ["opens on 2025-13-01", "Monday"],
  ["opens on 12/15/2025", "November"],
])("%j does not state %j", (source, claim) => {
  expect(statesDays(source, claim)).toBe(false);
});
