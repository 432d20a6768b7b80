import { afterAll, beforeAll, expect, it } from "vitest";
import { type Embedder, RUNNING_MODELS } from "../ai/models.ts";
import { testDatabase } from "../testing/database.ts";
import { hashEmbedding } from "../testing/hash-embedding.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";

testDatabase();

const EDITIONS = 8;
const SEARCHERS = 2;
const DIMENSIONS = 64;
const PARTS = ["fees", "opening hours", "parking", "guided tours"];

/** So quick that many searches fit between two versions. */
const EMBEDDER: Embedder = {
  modelId: "hash",
  dimensions: DIMENSIONS,
  windowTokens: 512,
  local: true,
  embedQuery: async (text) => Float32Array.from(hashEmbedding(text, DIMENSIONS)),
  embedChunks: async (texts) => texts.map((text) => Float32Array.from(hashEmbedding(text, DIMENSIONS))),
};
beforeAll(() => RUNNING_MODELS.set({ ...RUNNING_MODELS.get(), embedder: async () => EMBEDDER }));
afterAll(() => RUNNING_MODELS.set());

function guide(edition: number) {
  const parts = PARTS.map(
    (part) => `# The ${part}\n\nEdition ${edition} of the guide explains the ${part} of the museum.`,
  );
  return document("guide", parts.join("\n\n"));
}

it("returns exactly one version of a source, as a whole, while the source is replaced again and again", {
  timeout: 180_000,
}, async () => {
  const scope = await newCompany();
  await addAndIngest(scope, guide(0));
  const question = { queryText: "What does the guide explain about the museum?", limit: 100 };
  const narrowed = { ...question, filters: { sourceTypes: ["document"] } };
  const found = new Map<string, number>();
  let searches = 0;
  const search = async () => {
    const { response } = await ask(scope, searches++ % 2 === 0 ? question : narrowed);
    const editions = response.results.map(({ payload }) => /Edition (\d+)/.exec(payload.content)?.[1]);
    const line = editions.join(" ");
    found.set(line, (found.get(line) ?? 0) + 1);
  };
  for (let edition = 1; edition <= EDITIONS; edition++) {
    let isReplaced = false;
    const searchOn = async () => {
      do await search();
      while (!isReplaced);
    };
    const replacing = addAndIngest(scope, guide(edition)).finally(() => {
      isReplaced = true;
    });
    await Promise.all([replacing, ...Array.from({ length: SEARCHERS }, searchOn)]);
    await search();
  }
  const whole = Array.from({ length: EDITIONS + 1 }, (_, edition) => PARTS.map(() => edition).join(" "));
  expect([...found.keys()].filter((line) => !whole.includes(line))).toEqual([]);
  expect(found.size).toBeGreaterThanOrEqual(EDITIONS);
});
