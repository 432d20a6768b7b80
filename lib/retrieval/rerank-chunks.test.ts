import { expect, test } from "vitest";
import { rerankPatience } from "./rerank-chunks.ts";

test("a reranker gets what a failed embedding has left of the search's time", () => {
  expect(rerankPatience(["embedding"], 800)).toBe(300);
  expect(rerankPatience(["embedding"], 5_000)).toBe(100);
  // refused at once: the reranker's own limit ends sooner
  expect(rerankPatience(["embedding"], 2)).toBeGreaterThan(1_000);
  expect(rerankPatience([], 800)).toBeUndefined();
});
