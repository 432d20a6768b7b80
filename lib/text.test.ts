import { expect, test } from "vitest";
import { firstCharacters, lastCharacters } from "./text.ts";

test("a cut text has no half of an emoji at its end", () => {
  expect([firstCharacters("a😀b", 2), firstCharacters("a😀b", 3)]).toEqual(["a", "a😀"]);
  expect([lastCharacters("a😀b", 2), lastCharacters("a😀b", 3)]).toEqual(["b", "😀b"]);
  expect([firstCharacters("ab", 9), lastCharacters("ab", 9)]).toEqual(["ab", "ab"]);
});
