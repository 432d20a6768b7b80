import { expect, it } from "vitest";
import { fc } from "../testing/property.ts";
import { fromSteps, inSteps, roundVector, STEPS } from "./round-vector.ts";

it("makes inner products independent of the order of additions", () => {
  const components = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1_536, maxLength: 1_536 });
  fc.assert(
    fc.property(components, components, fc.nat(1_535), (a, b, start) => {
      const [question, chunk] = [roundVector(unit(a), STEPS.question), roundVector(unit(b), STEPS.chunk)];
      const products = Array.from(question, (value, index) => value * (chunk[index] ?? 0));
      const turned = [...products.slice(start), ...products.slice(0, start)];
      const exact = products.reduce((sum, product) => sum + product, 0);
      for (const order of [products, turned, turned.toReversed()]) {
        expect(order.reduce((sum, product) => Math.fround(sum + product), 0)).toBe(exact);
      }
    }),
    { numRuns: 40 },
  );
});

it("keeps a rounded vector exactly when it is stored in steps", () => {
  const components = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 384, maxLength: 384 });
  fc.assert(
    fc.property(components, (values) => {
      const vector = roundVector(unit(values), STEPS.question);
      // 0 instead of -0
      const expected = vector.map((value) => value + 0);
      expect(fromSteps(inSteps(unit(values), STEPS.question), STEPS.question)).toEqual(expected);
    }),
  );
});

function unit(values: number[]): number[] {
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
}
