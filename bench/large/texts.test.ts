import { expect, test } from "vitest";
import { analyzeChunk } from "../../lib/search-index/analyze.ts";
import { madeSources, sumOfAnalyzed } from "./texts.ts";

test("the analyses of a title and of sentences add up to that of the chunk", () => {
  const [title, first, second] = ["Note 12", "The meter of the flat reads 12 units.", "Meters are read in May."];
  const parts = [["", title] as const, [first, ""] as const, [second, ""] as const];
  expect(sumOfAnalyzed(parts.map(([text, heading]) => analyzeChunk(text, heading, "en")))).toEqual(
    analyzeChunk(`${first} ${second}`, title, "en"),
  );
});

test("makes as many chunks as asked, the same ones for a seed, with vectors of length 1", async () => {
  async function make() {
    const chunks = [];
    for await (const source of madeSources(25, { dimensions: 64, seed: 3 })) chunks.push(...source.chunks);
    return chunks;
  }
  const chunks = await make();
  expect(chunks).toHaveLength(25);
  expect(await make()).toEqual(chunks);
  for (const { vector } of chunks) expect(Math.hypot(...vector)).toBeCloseTo(1, 2);
});
