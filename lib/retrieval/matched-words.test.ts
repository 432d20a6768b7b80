import { expect, test } from "vitest";
import { matchedWords } from "./matched-words.ts";
import { wordsOfQuestion } from "./question.ts";

test("finds inflected words and returns them as written in the text", () => {
  const text =
    "Cancelling a contract: the contracts of a customer can be cancelled in writing. Call us about anything else.";
  expect(matchedWords(wordsOfQuestion("How do I cancel my contract?"), text)).toEqual([
    "Cancelling",
    "contract",
    "contracts",
    "cancelled",
  ]);
});

test("ignores the function words of the question", () => {
  expect(
    matchedWords(wordsOfQuestion("How do I do it?"), "How we do it: you call us and we do the rest for you."),
  ).toEqual([]);
});

test("analyses a text in its own language", () => {
  expect(
    matchedWords(
      wordsOfQuestion("disdire il contratto"),
      "Per la disdetta dei contratti scrivi a noi con trenta giorni.",
    ),
  ).toEqual(["contratti"]);
});

test("finds translations of the words in a text of another language", () => {
  expect(
    matchedWords(
      wordsOfQuestion("Entro quanti giorni ricevo il rimborso?"),
      "We pay refunds within ten days of your cancellation, to the account that you paid from.",
    ),
  ).toEqual(["refunds", "days"]);
});
