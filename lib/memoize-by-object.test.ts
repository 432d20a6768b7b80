import { expect, test, vi } from "vitest";
import { memoizeByObject } from "./memoize-by-object.ts";

test("a value is computed once for each object", () => {
  const compute = vi.fn(({ text }: { text: string }) => text.length);
  const lengthOf = memoizeByObject(compute);
  const [first, second] = [{ text: "" }, { text: "four" }];
  expect([first, second, first, second].map(lengthOf)).toEqual([0, 4, 0, 4]);
  expect(compute).toHaveBeenCalledTimes(2);
});
