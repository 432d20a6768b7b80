import { expect, it } from "vitest";
import type { ContextChunk } from "../context-chunk.ts";
import type { Candidate } from "./evidence.ts";
import { matchingQa, surelyAsksTheSame } from "./matching-qa.ts";

const chunk: ContextChunk = { title: "Discounts", path: [], content: "You pay less.", sourceType: "qa", score: 0.6 };

function candidate(index: number, topic: number, asksSame = true): Candidate {
  const unit = { text: "You pay less.", kind: "sentence" as const, heading: "", lead: "", block: 0 };
  const evidence = { terms: new Set<string>(), lexical: 0, typed: 0, relevance: 1 };
  return { unit, chunk: index, position: 0, ...evidence, similarity: { unit: topic, topic, asksSame } };
}

it("takes the closest of the Q&As, whatever their order", () => {
  expect(matchingQa([candidate(1, 0.46), candidate(0, 0.5)], [chunk, chunk])?.chunk).toBe(0);
});

it("ignores documents, and Q&As that ask something else", () => {
  expect(matchingQa([candidate(0, 0.9)], [{ ...chunk, sourceType: "document" }])).toBeUndefined();
  expect(matchingQa([candidate(0, 0.9, false)], [chunk])).toBeUndefined();
});

it("ignores Q&As that rank clearly below the first result", () => {
  const beside = (score: number) =>
    matchingQa([candidate(0, 0.5)], [chunk, { ...chunk, sourceType: "document", score }]);
  expect(beside(0.7)?.chunk).toBe(0);
  expect(beside(0.8)).toBeUndefined();
});

it("a close question is surely the same only if it asks the same", () => {
  expect(surelyAsksTheSame(candidate(0, 0.8))).toBe(true);
  expect(surelyAsksTheSame(candidate(0, 0.8, false))).toBe(false);
  expect(surelyAsksTheSame(candidate(0, 0.6))).toBe(false);
});
