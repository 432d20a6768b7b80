import { expect, test } from "vitest";
import { rerankTimeLimit } from "./rerank-chunks.ts";

test("a reranker gets what a failed embedding has left of the search's time", () => {
  expect(rerankTimeLimit(["embedding"], 800)).toBe(300);
  expect(rerankTimeLimit(["embedding"], 5_000)).toBe(100);
  // refused immediately: the reranker's own limit ends sooner
  expect(rerankTimeLimit(["embedding"], 2)).toBeGreaterThan(1_000);
  expect(rerankTimeLimit([], 800)).toBeUndefined();
});
