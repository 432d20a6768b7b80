import { expect, it } from "vitest";
import type { Language } from "../../language/function-words.ts";
import type { ContextChunk } from "../context-chunk.ts";
import type { Candidate } from "./evidence.ts";
import { matchingQa } from "./matching-qa.ts";
import { questionForms } from "./question-forms.ts";

const group: ContextChunk = {
  title: "Is there a discount for groups?",
  path: [],
  content: "Is there a discount for groups?\n\nFrom eight people you pay 10% less.",
  sourceType: "qa",
  score: 0.6,
};
const voucher: ContextChunk = { ...group, title: "Do you sell gift vouchers?", score: 0.59 };
const review: ContextChunk = { ...group, title: "Reviews", sourceType: "document", score: 0.61 };

function candidate(chunk: number, topic: number): Candidate {
  const unit = { text: "You pay less.", kind: "sentence" as const, heading: "", lead: "", block: 0 };
  return {
    unit,
    chunk,
    place: 0,
    terms: new Set(),
    lexical: 0,
    typed: 0,
    similarity: { unit: topic, topic },
    relevance: 1,
  };
}

function match(asked: { question: string; language: Language }, candidates: Candidate[], chunks: ContextChunk[]) {
  return matchingQa(questionForms(asked.question, asked.language, chunks), candidates, chunks);
}

const paraphrase = { question: "We are twelve. Does it get cheaper?", language: "en" as const };

it("recognises the question of a Q&A without a common word", () => {
  expect(match(paraphrase, [candidate(0, 0.5)], [group])?.chunk).toBe(0);
  expect(match(paraphrase, [candidate(0, 0.4)], [group])).toBeUndefined();
});

it("takes the closest of the Q&As, whatever their order", () => {
  const candidates = [candidate(1, 0.46), candidate(0, 0.5)];
  expect(match(paraphrase, candidates, [group, voucher])?.chunk).toBe(0);
});

it("needs more when common words alone could explain the cosine", () => {
  const other = { question: "Is the discount for students?", language: "en" as const };
  expect(match(other, [candidate(0, 0.6)], [group])).toBeUndefined();
  expect(match(other, [candidate(0, 0.76)], [group])?.chunk).toBe(0);
});

it("needs more in a language that the model knows less well", () => {
  expect(match({ ...paraphrase, language: "it" }, [candidate(0, 0.5)], [group])).toBeUndefined();
});

it("compares the wording that matched, not the title", () => {
  const matched = { ...group, wording: "Does it get cheaper for twelve?" };
  expect(match(paraphrase, [candidate(0, 0.6)], [matched])).toBeUndefined();
});

it("ignores documents, and Q&As that rank clearly below the first result", () => {
  expect(match(paraphrase, [candidate(0, 0.9)], [review])).toBeUndefined();
  expect(match(paraphrase, [candidate(0, 0.5)], [group, { ...review, score: 0.8 }])).toBeUndefined();
  expect(match(paraphrase, [candidate(0, 0.5)], [group, review])?.chunk).toBe(0);
});
