import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { RUNNING_MODELS } from "../ai/models.ts";
import { tenantScope } from "../db/tenant.ts";
import { fc } from "../testing/property.ts";
import { analyzeQuestion } from "./question.ts";
import { RERANKED, rerankChunks, rerankTimeLimit } from "./rerank-chunks.ts";
import { compareChunks, type ScoredChunk } from "./scored-chunks.ts";
import { stopwatch } from "./stopwatch.ts";

afterEach(() => RUNNING_MODELS.set());

test("a reranker gets what a failed embedding has left of the search's time", () => {
  expect(rerankTimeLimit(["embedding"], 800)).toBe(300);
  expect(rerankTimeLimit(["embedding"], 5_000)).toBe(100);
  // refused immediately: the reranker's own limit ends sooner
  expect(rerankTimeLimit(["embedding"], 2)).toBeGreaterThan(1_000);
  expect(rerankTimeLimit([], 800)).toBeUndefined();
});

test("what the reranker does not score stays behind all that it scores", async () => {
  const { companyId } = tenantScope(randomUUID());
  const question = await analyzeQuestion("What does a visit cost?");
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  const scores = (minLength: number) => fc.array(score, { minLength, maxLength: RERANKED + 8 });
  await fc.assert(
    fc.asyncProperty(scores(RERANKED + 1), scores(RERANKED), async (combined, judged) => {
      const chunks = combined.map(scoredChunk).sort(compareChunks);
      RUNNING_MODELS.set({
        ...RUNNING_MODELS.get(),
        rerankModel: () => ({ modelId: "judge", isRemote: false, score: async () => judged.slice(0, RERANKED) }),
      });
      const context = { watch: stopwatch(), degraded: [] };
      const { ranked } = await rerankChunks({ companyId, question, chunks, model: null }, context);
      const ids = (given: ScoredChunk[]) => given.map(({ chunk }) => chunk.id);
      expect(ids(ranked.slice(0, RERANKED)).sort()).toEqual(ids(chunks.slice(0, RERANKED)).sort());
      expect(ranked).toEqual(ranked.toSorted(compareChunks));
    }),
  );
});

function scoredChunk(score: number, index: number): ScoredChunk {
  const chunk = {
    ...{ ordinal: index, id: `${index}`, content: "Text.", headings: [], position: 0, page: null },
    // later chunks come first among equals
    ...{ sourceId: `source ${999 - index}`, sourceType: "document" as const, title: "Prices", fileName: null },
    ...{ audience: [], contentCategory: "general", path: [], metadata: {}, verified: null, phrasing: null },
  };
  const ranks = { vectorRank: null, lexicalRank: null };
  return { ...{ ordinal: index, score, cosine: 0, lexical: 0, weight: 1, alsoIn: [] }, ...ranks, chunk };
}
