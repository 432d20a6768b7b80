import { expect, test } from "vitest";
import { groupQuestions } from "./group-questions.ts";

const VECTORS: Record<string, number[]> = { cost: [1, 0], price: [0.8, 0.6], shop: [0, 1] };
const vectorOf = (text: string) => VECTORS[text];
const questions = (...texts: string[]) => texts.map((text) => ({ key: text, text }));
const groups = (...args: Parameters<typeof groupQuestions>) =>
  groupQuestions(...args).map(({ id, questions }) => [id, ...questions.map(({ text }) => text)]);

test("groups questions of the same meaning around the first", () => {
  expect(groups(questions("cost", "price", "shop"), [], vectorOf)).toEqual([
    [null, "cost", "price"],
    [null, "shop"],
  ]);
});

test("a text stays in its gap, and a new one joins the nearest", () => {
  const gaps = [
    { id: "one", keys: ["shop"], first: "shop" },
    { id: "two", keys: ["cost"], first: "cost" },
  ];
  expect(groups(questions("price", "shop"), gaps, vectorOf)).toEqual([
    ["one", "shop"],
    ["two", "price"],
  ]);
});

test("texts without a vector are grouped by their text alone", () => {
  expect(groups(questions("cost", "price"), [], () => undefined)).toEqual([
    [null, "cost"],
    [null, "price"],
  ]);
});
