import { expect, test } from "vitest";
import { growthOf } from "../testing/cpu-time.ts";
import { queryOf } from "./query-of.ts";

const query = (search: string) => queryOf({ url: `https://knowledge.example.com/v1?${search}` });

test("a repeated name gives an array, whatever the name", () => {
  expect(query("a=1&b=2&a=3&b=&a")).toEqual({ a: ["1", "3", ""], b: ["2", ""] });
  expect(Object.entries(query("__proto__=1&c"))).toEqual([
    ["__proto__", "1"],
    ["c", ""],
  ]);
  expect(query("")).toEqual({});
});

test("the time grows with the number of names", async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36)).join("&");
  expect(await growthOf((count) => query(names(count)), 12_000)).toBeLessThan(8);
});
