import { describe, expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { wordsOfQuestion } from "./question.ts";
import { rerank } from "./rerank.ts";

const filler = "The company was founded in a small town and grew over many years into what customers know today. ";
const chunk = (content: string, score = 0.5) => ({ score, content });

describe("rerank", () => {
  test("prefers a chunk with the words in one sentence over a chunk with the words far apart", () => {
    const [apart = 0, together = 0] = rerank(wordsOfQuestion("When does the annual licence expire?"), [
      chunk(`The annual report is out. ${filler}${filler}A licence is a permit. ${filler}Offers expire.`),
      chunk(`${filler}${filler}The annual licence will expire in March. ${filler}`),
    ]);
    expect(together).toBeGreaterThan(apart);
  });

  test("prefers the chunk that repeats the question's phrase", () => {
    const [scattered = 0, phrase = 0] = rerank(wordsOfQuestion("reset account password"), [
      chunk(`${filler}${filler}A password for an account can be given a reset. ${filler}`),
      chunk(`${filler}${filler}Reset the account password in the settings. ${filler}`),
    ]);
    expect(phrase).toBeGreaterThan(scattered);
  });

  test("matches despite typos", () => {
    const [without = 0, misspelt = 0] = rerank(wordsOfQuestion("cancel my subscripton"), [
      chunk(`${filler}${filler}${filler}`),
      chunk(`${filler}A subscription can be cancelled online. ${filler}`),
    ]);
    expect(misspelt).toBeGreaterThan(without);
  });

  test("keeps the scores of chunks that are no longer than the question", () => {
    const candidates = [chunk("Where is my new card?", 0.8), chunk("My card has not arrived yet.", 0.7)];
    expect(rerank(wordsOfQuestion("My new card has not arrived yet"), candidates)).toEqual([0.8, 0.7]);
  });

  test("gives each candidate a score from 0 to 1 for any texts", () => {
    const text = fc.oneof(fc.lorem({ mode: "sentences" }), fc.string({ unit: "grapheme" }), fc.constant(""));
    const candidate = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), content: text });
    fc.assert(
      fc.property(text, fc.array(candidate, { maxLength: 5 }), (question, candidates) => {
        const scores = rerank(wordsOfQuestion(question), candidates);
        expect(scores).toHaveLength(candidates.length);
        for (const score of scores) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
