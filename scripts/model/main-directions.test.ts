import { expect, it } from "vitest";
import { mainDirections, project } from "./main-directions.ts";

it("finds the directions in which vectors differ most, at right angles", () => {
  const vectors = [-3, -2, -1, 1, 2, 3].map((step) => [step, step, 0.1 * (step % 2), 0.5 * Math.abs(step) - 1]);
  const [first = [], second = []] = mainDirections(vectors, 2);
  expect(Math.abs(first[0] ?? 0)).toBeCloseTo(Math.SQRT1_2, 2);
  expect(first[0]).toBeCloseTo(first[1] ?? 0, 5);
  expect(Math.abs(second[3] ?? 0)).toBeCloseTo(1, 2);
  expect(project(first, [first, second])[0]).toBeCloseTo(1);
  expect(project(first, [first, second])[1]).toBeCloseTo(0);
});
