import { expect, test } from "vitest";
import { bootstrapInterval, compareRuns } from "./compare-runs.ts";

function question(id: string, right: boolean) {
  const fact = { inFirst: false, inGiven: true };
  return { set: "s", id, kind: "number", right, refused: !right, obeys: false, whole: null, mistaken: null, fact };
}

test("compares the questions that are in both runs", () => {
  const before = [question("a", false), question("b", true), question("gone", true)];
  const after = [question("a", true), question("b", true), question("new", false)];
  const [right] = compareRuns(before, after);
  expect(right).toMatchObject({
    figure: "answer contains the fact",
    questions: 2,
    before: 0.5,
    after: 1,
    difference: 0.5,
  });
  expect(compareRuns(before, after).map(({ figure }) => figure)).toEqual([
    "answer contains the fact",
    "first result contains the fact",
    "first five results contain the fact",
    "refused although a result contains it",
  ]);
});

test("the bootstrap interval covers the mean and is the same every time", () => {
  const values = Array.from({ length: 100 }, (_, i) => (i < 20 ? 1 : 0));
  const { low, high } = bootstrapInterval(values);
  // the normal approximation gives .2 ± 1.96 · .04
  expect(low).toBeCloseTo(0.122, 1);
  expect(high).toBeCloseTo(0.278, 1);
  expect(bootstrapInterval(values)).toEqual({ low, high });
  expect(bootstrapInterval([0, 0, 0])).toEqual({ low: 0, high: 0 });
});
