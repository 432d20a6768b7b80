import { expect, it } from "vitest";
import { type AnswerEvidence, hasEnoughEvidence } from "./answer-evidence.ts";
import type { Candidate } from "./evidence.ts";
import { questionForms } from "./question-forms.ts";

const answerEvidence: AnswerEvidence = {
  ...{ relevances: [3, 2.5, 2.2, 2.1, 2], type: null, termCount: 2 },
  ...{
    forms: questionForms("Which colour is the router?", "en", [{ content: "" }]),
    chunks: [{ title: "Help", path: [] }],
  },
  keywordScores: [0.4],
};
const candidate = (fields: Partial<Candidate>): Candidate => ({
  unit: { text: "The colour of the router is grey.", kind: "sentence", heading: "", lead: "", block: 0 },
  ...{ chunk: 0, position: 0, terms: new Set(), lexical: 0.7, typed: 0, relevance: 3 },
  similarity: { unit: 0.6, topic: 0.5, asksSame: false },
  ...fields,
});

it("supports what shares words and meaning with the question", () => {
  expect(hasEnoughEvidence(candidate({}), answerEvidence)).toBe(true);
  expect(
    hasEnoughEvidence(
      candidate({ lexical: 0.1, similarity: { unit: 0.2, topic: 0.9, asksSame: false } }),
      answerEvidence,
    ),
  ).toBe(false);
});

it("asks for more when the type of fact is missing, no result stands out, or the question is not said", () => {
  const doubtful = candidate({ lexical: 0.4, similarity: { unit: 0.32, topic: 0.5, asksSame: false } });
  expect(hasEnoughEvidence(doubtful, answerEvidence)).toBe(true);
  expect(hasEnoughEvidence(doubtful, { ...answerEvidence, type: "phone" })).toBe(false);
  expect(hasEnoughEvidence(doubtful, { ...answerEvidence, relevances: Array(5).fill(3) })).toBe(false);
  const faint = candidate({ lexical: 0.6, similarity: { unit: 0.05, topic: 0.5, asksSame: false } });
  expect(hasEnoughEvidence(faint, answerEvidence)).toBe(true);
  expect(hasEnoughEvidence(faint, { ...answerEvidence, keywordScores: [0.05] })).toBe(false);
  const forms = questionForms("Which colour is the router that is rented?", "en", [{ content: "" }]);
  expect(hasEnoughEvidence(doubtful, { ...answerEvidence, forms })).toBe(false);
  const rented = candidate({ unit: { ...doubtful.unit, text: "It is leased." } });
  expect(hasEnoughEvidence(doubtful, { ...answerEvidence, forms }, [doubtful, rented])).toBe(true);
});

it("asks a little less of the answer to a yes/no question", () => {
  const borderline = candidate({ similarity: { unit: -0.1, topic: 0.5, asksSame: false } });
  expect(hasEnoughEvidence(borderline, answerEvidence)).toBe(false);
  expect(hasEnoughEvidence(borderline, { ...answerEvidence, type: "decision" })).toBe(true);
});

it("refuses an off-topic yes/no question that shares one word", () => {
  const shared = candidate({ lexical: 0.32, similarity: { unit: 0.27, topic: 0.23, asksSame: false } });
  expect(hasEnoughEvidence(shared, { ...answerEvidence, type: "decision" })).toBe(false);
});

it("decides by words alone without an embedding model", () => {
  expect(hasEnoughEvidence(candidate({ similarity: null }), answerEvidence)).toBe(true);
  expect(hasEnoughEvidence(candidate({ similarity: null, lexical: 0.3 }), answerEvidence)).toBe(false);
});
