import { expect, test } from "vitest";
import { BYTES_PER_TRANSACTION, batchesBySize, ROWS_PER_TRANSACTION } from "./batches.ts";

const sizesOf = (...sizes: number[]) =>
  [...batchesBySize(sizes.map((bytes) => ({ bytes })))].map((batch) => batch.map(({ bytes }) => bytes));

test("a batch by size has few enough rows and bytes, and a larger item is alone", () => {
  const most = BYTES_PER_TRANSACTION;
  expect(sizesOf()).toEqual([]);
  expect(sizesOf(most + 1, 1, most - 1, 1, most + 1)).toEqual([[most + 1], [1, most - 1], [1], [most + 1]]);
  const counts = sizesOf(...Array.from({ length: ROWS_PER_TRANSACTION + 1 }, () => 1)).map((batch) => batch.length);
  expect(counts).toEqual([ROWS_PER_TRANSACTION, 1]);
});
