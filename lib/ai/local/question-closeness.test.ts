import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Language } from "../../language/function-words.ts";
import { detectLanguage } from "../../language/language.ts";
import { cosineOf } from "../cosine.ts";
import { embedTexts } from "../models.ts";
import { questionCloseness, SAME_QUESTION_CLOSENESS } from "./question-closeness.ts";

const line = z.object({ stored: z.string(), same: z.array(z.string()), other: z.array(z.string()) });

async function closenessOf(stored: string, asked: string[]): Promise<number[]> {
  const [own = [], ...vectors] = await embedTexts([stored, ...asked]);
  return vectors.map((vector, index) => {
    const question = asked[index] ?? "";
    return questionCloseness({ question, language: detectLanguage(question) }, stored, cosineOf(own, vector));
  });
}

const otherSpellings = (text: string) => [text.replaceAll("'", "’"), text.replaceAll("'", "")];

test("no near-miss counts as the same question, and most of the paraphrases do", async () => {
  const text = await readFile("bench/verified-answers/questions.jsonl", "utf8");
  const lines = text.trim().split("\n");
  const questions = lines.map((each) => line.parse(JSON.parse(each)));
  const same: number[] = [];
  const wrong: string[] = [];
  for (const { stored, ...asked } of questions) {
    same.push(...(await closenessOf(stored, asked.same)));
    const others = [...asked.other, ...asked.other.filter((text) => text.includes("'")).flatMap(otherSpellings)];
    const closeness = await closenessOf(stored, others);
    wrong.push(...others.filter((_, index) => (closeness[index] ?? 1) >= SAME_QUESTION_CLOSENESS));
  }
  expect(wrong).toEqual([]);
  const found = same.filter((closeness) => closeness >= SAME_QUESTION_CLOSENESS);
  expect(found.length / same.length).toBeGreaterThan(0.5);
});

test("the same words count as the same question, apart from case and punctuation", () => {
  const compared = { question: "how do I cancel", language: "en" as const };
  expect(questionCloseness(compared, "How do I cancel?", 0.99)).toBe(1);
});

const COSINE = 0.99;
const closenessOfWords = (question: string, stored: string, language: Language | null = "en") =>
  questionCloseness({ question, language }, stored, COSINE);

test.each(["can't", "can’t", "canʼt", "cant", "cannot", "can not"])(
  "%s is a negation, however it is spelled",
  (form) => {
    expect(closenessOfWords(`Why ${form} I pay?`, "Why can I pay?")).toBe(0);
    expect(closenessOfWords(`Why ${form} I pay?`, "Why can't I pay?")).toBe(1);
  },
);

test.each(["isn’t", "isnt", "don’t", "dont", "won’t", "wont", "aren’t", "arent", "hasn’t", "hasnt", "couldn’t"])(
  "%s turns a question into another one",
  (form) => {
    const verb = form.replace(/n[’']?t$/, "").replace(/^wo$/, "will");
    expect(closenessOfWords(`Why ${form} my card accepted?`, `Why ${verb} my card accepted?`)).toBe(0);
    expect(closenessOfWords(`Why ${form} my card accepted?`, `Why ${verb} not my card accepted?`)).toBe(1);
  },
);

test("an accent is the same, however it is encoded", () => {
  expect(closenessOfWords("Perché pago?".normalize("NFD"), "Perché pago?", "it")).toBe(1);
  expect(closenessOfWords("Perché pago?".normalize("NFD"), "Quando pago?", "it")).toBe(0);
});

test("the French dont is not a negation", () => {
  const question = "Quel est le contrat dont je dispose ?";
  expect(closenessOfWords(question, "Quel est le contrat que je dispose ?", "fr")).toBeGreaterThan(0.8);
});

test.each([
  ["What is C++?", "What is C#?"],
  ["What is C++?", "What is C?"],
  ["What is .NET?", "What is net?"],
  ["What is the fee in $?", "What is the fee in €?"],
  ["Is 5% the discount?", "Is 5 the discount?"],
  ["Does it work at -5 degrees?", "Does it work at 5 degrees?"],
  ["Is 5+ years enough?", "Is 5 years enough?"],
])("a sign turns %s into another question than %s", (one, other) => {
  expect(closenessOfWords(one, other)).toBe(0);
  expect(closenessOfWords(other, one)).toBe(0);
});

test("an ampersand, a hyphen and an ellipsis do not count as signs", () => {
  expect(closenessOfWords("Where are the terms & conditions?", "Where are the terms and conditions?")).toBe(1);
  expect(closenessOfWords("So ...why is the sign-up free?", "so why is the sign up free")).toBe(1);
});
