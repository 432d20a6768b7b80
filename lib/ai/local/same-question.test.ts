import { expect, it } from "vitest";
import type { ContextChunk } from "../context-chunk.ts";
import { questionForms } from "./question-forms.ts";
import { asksTheSame } from "./same-question.ts";

const group: ContextChunk = {
  title: "Is there a discount for groups?",
  path: [],
  content: "Is there a discount for groups?\n\nFrom eight people you pay 10% less.",
  sourceType: "qa",
  score: 0.6,
};
const paraphrase = "We are twelve. Does it get cheaper?";
const nearMiss = "Is the discount for students?";

function asksSame(question: string, cosine: number, { chunk = group, language = "en" as "en" | "it" } = {}) {
  return asksTheSame(questionForms(question, language, [chunk])[0], chunk, cosine);
}

it("recognises a question without a common word", () => {
  expect(asksSame(paraphrase, 0.5)).toBe(true);
  expect(asksSame(paraphrase, 0.4)).toBe(false);
});

it("needs more when common words alone could explain the cosine", () => {
  expect(asksSame(nearMiss, 0.6)).toBe(false);
  expect(asksSame(nearMiss, 0.76)).toBe(true);
});

it("needs no more than .9, whatever words are common", () => {
  expect(asksSame(group.title, 0.89)).toBe(false);
  expect(asksSame(group.title, 0.9)).toBe(true);
});

it("needs more in a language that the model knows less well", () => {
  expect(asksSame(paraphrase, 0.5, { language: "it" })).toBe(false);
});

it("compares the phrasing that matched, not the title", () => {
  const chunk = { ...group, phrasing: "Does it get cheaper for twelve?" };
  expect(asksSame(paraphrase, 0.6, { chunk })).toBe(false);
});

it("is false for a document", () => {
  expect(asksSame(paraphrase, 0.95, { chunk: { ...group, sourceType: "document" } })).toBe(false);
});
