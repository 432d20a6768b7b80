import { expect, test, vi } from "vitest";
import { remembered } from "./remembered.ts";

test("a value is computed once for each object", () => {
  const compute = vi.fn(({ text }: { text: string }) => text.length);
  const lengthOf = remembered(compute);
  const [first, second] = [{ text: "" }, { text: "four" }];
  expect([first, second, first, second].map(lengthOf)).toEqual([0, 4, 0, 4]);
  expect(compute).toHaveBeenCalledTimes(2);
});
