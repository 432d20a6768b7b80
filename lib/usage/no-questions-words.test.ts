import { expect, test } from "vitest";
import { noQuestionsWords, noRequestsWords, noUnansweredWords } from "./no-questions-words.ts";

const HASHES = "No text to show: this company keeps hashes instead of questions.";
const NONE = "The log has no questions for this period.";

test("an empty list names hashes only in companies that keep them", () => {
  expect(noQuestionsWords({ hashQueries: true })).toBe(HASHES);
  // all requests were refused, or are older than the log
  expect(noQuestionsWords({ hashQueries: false })).toBe(NONE);
});

test("every question was answered only if there was one", () => {
  const company = { hashQueries: false };
  expect(noUnansweredWords({ requests: 3, errors: 1, unanswered: 0 }, company)).toBe("Every question was answered.");
  expect(noUnansweredWords({ requests: 3, errors: 3, unanswered: 0 }, company)).toBe(NONE);
  expect(noUnansweredWords({ requests: 3, errors: 1, unanswered: 2 }, company)).toBe(NONE);
  expect(noUnansweredWords({ requests: 3, errors: 1, unanswered: 2 }, { hashQueries: true })).toBe(HASHES);
});

test.each([
  [7, "a key", "Choose All requests or a longer period."],
  [90, "playground", "Choose All requests."],
  [30, null, "Choose a longer period."],
  [90, null, "Ask a question in the playground, or call the API with a key."],
])("without requests in %i days of %s, only what is left to choose is named", (days, sender, words) => {
  expect(noRequestsWords({ days, sender })).toBe(words);
});
