import { expect, test } from "vitest";
import { partsOfPage } from "./log-parts.ts";

const partsWith = (...counts: number[]) => counts.map((matches) => ({ condition: undefined, matches }));
const placesOf = (offset: number, limit: number, parts = partsWith(3, 0, 4, 2)) =>
  partsOfPage(parts, { offset, limit }).map((part) => [part.offset, part.limit]);

test("a page takes its rows from the parts that hold them", () => {
  expect(placesOf(0, 2)).toEqual([[0, 2]]);
  expect(placesOf(2, 4)).toEqual([
    [2, 1],
    [0, 3],
  ]);
  expect(placesOf(4, 9)).toEqual([
    [1, 3],
    [0, 2],
  ]);
  expect(placesOf(9, 2)).toEqual([]);
});

test("a page of one part shows requests that are newer than its count", () => {
  expect(placesOf(0, 50, partsWith(0))).toEqual([[0, 50]]);
  expect(placesOf(50, 50, partsWith(60))).toEqual([[50, 50]]);
});
