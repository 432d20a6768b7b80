import { expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { calibrationError, crossValidatedError } from "./calibration-error.ts";
import { calibrated } from "./curve.ts";
import { fitIsotonic } from "./isotonic.ts";

const judged = (...pairs: [number, 0 | 1][]) => pairs.map(([score, right]) => ({ score, right: right === 1 }));
const results = fc.array(fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), right: fc.boolean() }), {
  maxLength: 60,
});

test("pools neighbours that break the order", () => {
  // by hand: the blocks are {0.1}, {0.2, 0.3} and {0.4}
  const curve = fitIsotonic(judged([0.3, 0], [0.1, 0], [0.2, 1], [0.4, 1]));
  expect(curve.map(({ chance }) => chance)).toEqual([0, 0.5, 1]);
  expect(curve[1]?.score).toBeCloseTo(0.25, 12);
  expect(fitIsotonic(judged([0.5, 1], [0.5, 0]))).toEqual([{ score: 0.5, chance: 0.5 }]);
});

test("keeps every order, and stays from 0 to 1", () => {
  fc.assert(
    fc.property(results, fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 2 }), (found, steps) => {
      const curve = fitIsotonic(found);
      const scores = [...new Set(steps)].map((step) => step / 10_000).sort((a, b) => a - b);
      const after = scores.map((score) => calibrated(curve, score));
      for (const [index, score] of after.entries()) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        if (index > 0) expect(score).toBeGreaterThan(after[index - 1] ?? 1);
      }
    }),
  );
});

test("measures how far scores are from chances", () => {
  expect(calibrationError(judged([0.5, 1], [0.5, 0]))).toBe(0);
  expect(calibrationError(judged([0.9, 1], [0.9, 0]))).toBeCloseTo(0.4, 12);
  expect(calibrationError([])).toBe(0);
});

test("brings scores that promise too much near their chance, on questions that it has not seen", () => {
  // the chance is the square of the score
  const questions = Array.from({ length: 100 }, (_, question) =>
    Array.from({ length: 10 }, (_, rank) => {
      const score = ((question * 10 + rank) % 97) / 97;
      return { score, right: ((question * 37 + rank * 61) % 101) / 101 < score ** 2 };
    }),
  );
  const before = calibrationError(questions.flat());
  expect(before).toBeGreaterThan(0.1);
  expect(crossValidatedError(questions)).toBeLessThan(before / 2);
});
