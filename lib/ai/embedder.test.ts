import { expect, test } from "vitest";
import { createEmbedder } from "./embedder.ts";

/** An embedder whose model counts the texts that it is given. */
function counted(dimensions: number) {
  const texts: string[] = [];
  const embedder = createEmbedder(
    {
      specificationVersion: "v4",
      provider: "test",
      modelId: "counted",
      maxEmbeddingsPerCall: 1,
      supportsParallelCalls: false,
      doEmbed: async ({ values }) => {
        texts.push(...values);
        return { embeddings: values.map(() => Array.from({ length: dimensions }, () => 0)), warnings: [] };
      },
    },
    { modelId: "counted", dimensions, windowTokens: 512, local: true },
  );
  const ask = async (count: number, companyId = "a") => {
    texts.length = 0;
    for (let i = 0; i < count; i++) await embedder.embedQuery(`question ${i}`, { companyId });
    return texts.length;
  };
  return { ask };
}

test("thousands of questions of many companies are embedded once", async () => {
  const { ask } = counted(512);
  for (const company of ["a", "b", "c"]) expect(await ask(1_000, company)).toBe(1_000);
  for (const company of ["a", "b", "c"]) expect(await ask(1_000, company)).toBe(0);
});

test("fewer questions are remembered when their vectors are long", async () => {
  const { ask } = counted(16_384);
  expect(await ask(200)).toBe(200);
  expect(await ask(100)).toBe(100);
  expect(await ask(100)).toBe(0);
});
