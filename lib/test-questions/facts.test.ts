import { expect, test } from "vitest";
import { plainText } from "../evaluation/score-answer.ts";
import { factOfPattern, patternOf } from "./facts.ts";

function states(answer: string, fact: string): boolean {
  return new RegExp(patternOf(fact), "iu").test(plainText(answer));
}

test("an answer states a fact by any of its alternatives, as whole words", () => {
  expect(states("The notice period is **30 days**. [1]", "30 days | thirty days")).toBe(true);
  expect(states("Thirty days, in writing.", "30 days | thirty days")).toBe(true);
  expect(states("It takes 130 days.", "30 days")).toBe(false);
  expect(states("It costs 30 daysish.", "30 days")).toBe(false);
});

test("a fact is text, not a pattern", () => {
  expect(states("It costs $1.50 (net).", "$1.50 (net)")).toBe(true);
  expect(states("It costs $1x50 (net).", "$1.50 (net)")).toBe(false);
  expect(states("anything", ".*")).toBe(false);
});

test("a pattern becomes its fact again, unless it is a regular expression", () => {
  for (const fact of ["30 days | thirty days", "$1.50 (net)", "a/b | c\\d", "über 5 €"]) {
    expect(factOfPattern(patternOf(fact))).toBe(fact);
  }
  expect(factOfPattern("30 days|thirty days")).toBe("30 days | thirty days");
  expect(factOfPattern("\\d+ days")).toBeNull();
  expect(factOfPattern("thirty|30.days")).toBeNull();
});
