import { expect, test } from "vitest";
import { searchWords, wordPattern } from "./search-words.ts";

test("the words of a search are found as written, whatever their case", () => {
  const words = searchWords("  Refund refunds (24 ");
  expect(words).toEqual(["refund", "refunds", "(24"]);
  const text = "REFUNDS within (24 hours) are refunded.";
  expect([...text.matchAll(wordPattern(words) ?? /never/g)].map(([match]) => match)).toEqual([
    "REFUNDS",
    "(24",
    "refund",
  ]);
  expect(wordPattern(searchWords("  "))).toBeNull();
});
