import { expect, it } from "vitest";
import type { RankedChunk } from "@/lib/db/stored-json.ts";
import { remarksOf } from "./remarks.ts";

const result: RankedChunk = {
  id: "1",
  score: 0.5,
  cosine: 0.5,
  lexical: 0.5,
  vectorRank: 1,
  lexicalRank: 1,
  fusedScore: 0.5,
  fusedRank: 1,
};

it("names results of older versions, results with instructions, and sentences that were left out", () => {
  const results = [result, { ...result, outdated: true as const }, { ...result, hasInstructions: true as const }];
  expect(remarksOf({ results: [...results, ...results], dropped: ["number", "date", "number"] })).toEqual([
    "Results 2 and 5: an older version of a document, which lowered the score.",
    "Results 3 and 6: the text gives instructions to an AI assistant. Ragstone’s built-in answer model never quotes them.",
    "Left out 3 sentences that differ from the cited chunks in a number or a date.",
  ]);
});

it("says nothing about a plain result", () => {
  expect(remarksOf({ results: [result] })).toEqual([]);
});
