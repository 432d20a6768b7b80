import { expect, test } from "vitest";
import { fc } from "../../lib/testing/property.ts";
import { sampleProcesses, slope } from "./process-samples.ts";

test("the slope of a line does not depend on its offset", () => {
  const number = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 2, max: 50 }), (rate, offset, count) => {
      const points = Array.from({ length: count }, (_, x) => ({ x, y: offset + rate * x }));
      expect(slope(points)).toBeCloseTo(rate, 6);
    }),
  );
  expect(slope([])).toBe(0);
  expect(slope([{ x: 1, y: 5 }])).toBe(0);
});

test("ignores processes that ended or do not belong to the product", () => {
  expect(sampleProcesses([process.pid, 2 ** 30])).toEqual({});
});
