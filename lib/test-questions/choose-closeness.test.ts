import { expect, test } from "vitest";
import { chooseCloseness } from "./choose-closeness.ts";

const question = (expectedSource: string | null, found?: [sourceId: string, closeness: number]) => ({
  ...{ expectedSource, excludedSource: null, mustRefuse: expectedSource === null },
  outcome: found ? { verified: { sourceId: found[0], closeness: found[1] } } : {},
});
const others = Array.from({ length: 20 }, () => question("manual"));

test("a company with few judged questions keeps the default", () => {
  expect(chooseCloseness([question("hours", ["hours", 0.9])])).toBeNull();
  expect(chooseCloseness(others)).toBeNull();
});

test("the threshold lies between the closest wrong answer and the next right one", () => {
  const judged = [
    question("hours", ["hours", 0.98]),
    question(null, ["hours", 0.94]),
    question("hours", ["hours", 0.91]),
  ];
  expect(chooseCloseness([...others, ...judged])).toBeCloseTo(0.96);
});

test("without a wrong one, it is the lowest right one, but never below the minimum", () => {
  expect(chooseCloseness([...others, question("hours", ["hours", 0.9])])).toBe(0.9);
  expect(chooseCloseness([...others, question("hours", ["hours", 0.5])])).toBe(0.88);
});

test("it stays above a wrong answer that no right one exceeds", () => {
  const judged = [question("hours", ["hours", 0.92]), question("manual", ["hours", 0.95])];
  expect(chooseCloseness([...others, ...judged])).toBeGreaterThan(0.95);
});

test("a copy of the expected source is a right answer", () => {
  const copy = { ...question("hours"), outcome: { verified: { sourceId: "copy", closeness: 1, alsoIn: ["hours"] } } };
  expect(chooseCloseness([...others, copy, question("hours", ["hours", 0.9])])).toBe(0.9);
});
