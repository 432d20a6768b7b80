import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { detectLanguage } from "../../language/language.ts";
import { embedTexts } from "../models.ts";
import { questionCloseness, SAME_QUESTION_CLOSENESS } from "./question-closeness.ts";

const line = z.object({ stored: z.string(), same: z.array(z.string()), other: z.array(z.string()) });

async function closenessOf(stored: string, asked: string[]): Promise<number[]> {
  const [own = [], ...vectors] = await embedTexts([stored, ...asked]);
  return vectors.map((vector, index) => {
    const cosine = vector.reduce((sum, value, place) => sum + value * (own[place] ?? 0), 0);
    const question = asked[index] ?? "";
    return questionCloseness({ question, language: detectLanguage(question) }, stored, cosine);
  });
}

test("no near-miss counts as the same question, and most of the paraphrases do", async () => {
  const text = await readFile("bench/verified-answers/questions.jsonl", "utf8");
  const lines = text.trim().split("\n");
  const questions = lines.map((each) => line.parse(JSON.parse(each)));
  const same: number[] = [];
  const wrong: string[] = [];
  for (const { stored, ...asked } of questions) {
    same.push(...(await closenessOf(stored, asked.same)));
    const others = await closenessOf(stored, asked.other);
    wrong.push(...asked.other.filter((_, index) => (others[index] ?? 1) >= SAME_QUESTION_CLOSENESS));
  }
  expect(wrong).toEqual([]);
  const found = same.filter((closeness) => closeness >= SAME_QUESTION_CLOSENESS);
  expect(found.length / same.length).toBeGreaterThan(0.5);
});

test("the same words count as the same question, apart from case and punctuation", () => {
  const compared = { question: "how do I cancel", language: "en" as const };
  expect(questionCloseness(compared, "How do I cancel?", 0.99)).toBe(1);
});
