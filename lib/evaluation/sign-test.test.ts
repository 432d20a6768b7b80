import { expect, test } from "vitest";
import { signTest } from "./sign-test.ts";

// exact binomial probabilities
test.each([
  [0, 0, 1],
  [1, 0, 1],
  [5, 0, 0.0625],
  [6, 0, 0.03125],
  [0, 6, 0.03125],
  [8, 1, 0.0390625],
  [9, 3, 0.14599609375],
  [3, 3, 1],
])("%d better and %d worse have the probability %d", (better, worse, probability) => {
  const found = signTest(better, worse);
  expect(found.probability).toBeCloseTo(probability, 12);
  expect(found.isSignificant).toBe(probability < 0.05);
});
