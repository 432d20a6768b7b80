import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("one is singular, zero and many are plural, thousands are separated", () => {
  expect([0, 1, 2, 1_200].map((number) => counted(number, "source"))).toEqual([
    "0 sources",
    "1 source",
    "2 sources",
    "1,200 sources",
  ]);
});
