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

it("names results of older versions, results with orders, and sentences that were left out", () => {
  const results = [result, { ...result, outdated: true as const }, { ...result, hasOrders: true as const }];
  expect(remarksOf({ results: [...results, ...results], dropped: ["number", "date", "number"] })).toEqual([
    "Results 2 and 5: an older version of a document, which lowered the score.",
    "Results 3 and 6: orders to an assistant in the text. Ragstone’s own answers never quote them.",
    "3 sentences were left out of the answer: the cited chunks do not state their number and date.",
  ]);
});

it("says nothing about a plain result", () => {
  expect(remarksOf({ results: [result] })).toEqual([]);
});
