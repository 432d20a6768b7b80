import { expect, test } from "vitest";
import { matchedWords } from "./matched-words.ts";

test("finds inflected words, as they are written in the text", () => {
  const text =
    "Cancelling a contract: the contracts of a customer can be cancelled in writing. Call us about anything else.";
  expect(matchedWords("How do I cancel my contract?", text)).toEqual([
    "Cancelling",
    "contract",
    "contracts",
    "cancelled",
  ]);
});

test("leaves the words alone that every question has", () => {
  expect(matchedWords("How do I do it?", "How we do it: you call us and we do the rest for you.")).toEqual([]);
});

test("reads a text of another language in its own", () => {
  expect(matchedWords("disdire il contratto", "Per la disdetta dei contratti scrivi a noi con trenta giorni.")).toEqual(
    ["contratti"],
  );
});
