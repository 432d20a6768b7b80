import { expect, test } from "vitest";
import { pageCount, pageNumber, pageWithin } from "./page.ts";

test.each([
  ["3", 3],
  ["2.9", 2],
  ["0", 1],
  ["-1", 1],
  ["x", 1],
  ["", 1],
  ["Infinity", 1_000_000],
])("page %j is %i", (text, page) => {
  expect(pageNumber(text)).toBe(page);
});

test("an empty list has one page", () => {
  expect([0, 1, 50, 51].map((total) => pageCount(total, 50))).toEqual([1, 1, 1, 2]);
});

test("a page outside the list becomes the nearest page", () => {
  const list = { total: 120, pageSize: 50 };
  expect(pageWithin(2, list)).toEqual({ page: 2, limit: 50, offset: 50 });
  expect(pageWithin(9, list)).toEqual({ page: 3, limit: 50, offset: 100 });
  expect(pageWithin(0, list)).toEqual({ page: 1, limit: 50, offset: 0 });
  expect(pageWithin(7, { total: 0, pageSize: 50 })).toEqual({ page: 1, limit: 50, offset: 0 });
});
