import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseEnv } from "../env.ts";
import { lengthenBudgets } from "../testing/long-limits.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { createModels } from "./models.ts";
import { isProviderError } from "./remote/provider-error.ts";

afterAll(lengthenBudgets("query", "rerank"));

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer({ dimensions: 768 });
});
afterEach(() => server.close());

const modelsOf = (variables: Record<string, string>) => createModels(parseEnv(variables));
const remote = (variables: Record<string, string> = {}) =>
  modelsOf({ OPENAI_BASE_URL: `${server.url}/v1`, ...variables });

describe("the embedder", () => {
  it("is the bundled model when no provider is set", async () => {
    const embedder = await modelsOf({}).embedder();
    expect(embedder).toMatchObject({ modelId: "local/all-MiniLM-L6-v2", dimensions: 384, local: true });
    const [cat, kitten, invoice] = await embedder.embedChunks(["A cat", "A kitten", "Pay the invoice"]);
    expect(cosine(cat, kitten)).toBeGreaterThan(cosine(cat, invoice));
    expect(cosine(cat, await embedder.embedQuery("A cat"))).toBeCloseTo(1, 3);
  });

  it("names the variable when the folder of EMBEDDING_MODEL_DIR contains no model", async () => {
    await expect(modelsOf({ EMBEDDING_MODEL_DIR: "docs" }).embedder()).rejects.toThrow("EMBEDDING_MODEL_DIR");
  });

  it("knows the dimensions of published models without calling the provider", async () => {
    const embedder = await remote().embedder();
    expect(embedder).toMatchObject({ modelId: "text-embedding-3-small/1536", dimensions: 1536, local: false });
    expect(server.calls).toHaveLength(0);
  });

  it("asks the provider for the dimensions of an unknown model once", async () => {
    const models = remote({ EMBEDDING_MODEL: "nomic-embed-text" });
    const [embedder] = await Promise.all([models.embedder(), models.embedder()]);
    expect(embedder).toMatchObject({ modelId: "nomic-embed-text/768", dimensions: 768 });
    expect(await models.embedder()).toBe(embedder);
    expect(server.calls).toHaveLength(1);
  });

  it("trusts EMBEDDING_DIMENSIONS and requests that many", async () => {
    const embedder = await remote({ EMBEDDING_DIMENSIONS: "256" }).embedder();
    expect((await embedder.embedQuery("hello")).length).toBe(256);
    expect(server.calls[0]?.body).toMatchObject({ dimensions: 256 });
  });

  it("works later when the provider was unavailable at first", async () => {
    const models = remote({ EMBEDDING_MODEL: "nomic-embed-text" });
    server.fail({ kind: "status", status: 401 });
    const error = await models.embedder().catch((reason: unknown) => reason);
    expect(isProviderError(error)).toBe(true);
    server.fail(null);
    expect((await models.embedder()).dimensions).toBe(768);
  });

  it("asks again for the dimensions as soon as the provider has refused, whenever it wants to be asked", async () => {
    const models = remote({ EMBEDDING_MODEL: "nomic-embed-text" });
    server.fail({ kind: "status", status: 429, headers: { "retry-after": "20" } });
    await expect(models.embedder()).rejects.toThrow("429");
    server.fail(null);
    expect((await models.embedder()).dimensions).toBe(768);
  });

  it("is known to be local or remote without a call", async () => {
    server.fail({ kind: "hang" });
    expect(remote({ EMBEDDING_MODEL: "nomic-embed-text" }).isEmbedderLocal()).toBe(false);
    expect(modelsOf({ EMBEDDING_MODEL_DIR: "docs" }).isEmbedderLocal()).toBe(true);
    expect(modelsOf({}).isEmbedderLocal()).toBe(true);
    expect(server.calls).toHaveLength(0);
  });

  it("embeds the same question once, and answers from its cache while the provider is unavailable", async () => {
    const embedder = await remote({ EMBEDDING_DIMENSIONS: "768" }).embedder();
    const first = await embedder.embedQuery("how do I cancel?");
    server.fail({ kind: "status", status: 500 });
    expect(await embedder.embedQuery("how do I cancel?")).toEqual(first);
    expect(server.calls).toHaveLength(1);
    await expect(embedder.embedQuery("another question")).rejects.toThrow("500");
  });

  it("asks again for the question of another company, so that its time does not tell what others ask", async () => {
    const embedder = await remote({ EMBEDDING_DIMENSIONS: "768" }).embedder();
    const [first, second] = ["5a2f7d0e", "c1b3e9a4"];
    await embedder.embedQuery("how do I cancel?", { companyId: first });
    await embedder.embedQuery("how do I cancel?", { companyId: second });
    expect(server.calls).toHaveLength(2);
    await embedder.embedQuery("how do I cancel?", { companyId: first });
    expect(server.calls).toHaveLength(2);
  });

  it("returns all chunks or none, in order, as float32", async () => {
    const embedder = await remote({ EMBEDDING_DIMENSIONS: "768" }).embedder();
    const texts = Array.from({ length: 70 }, (_, i) => `chunk ${i}`);
    const vectors = await embedder.embedChunks(texts);
    expect(vectors).toHaveLength(70);
    // questions are rounded more coarsely
    const rounded = Array.from(await embedder.embedQuery("chunk 69"), (value) => expect.closeTo(value, 3));
    expect(Array.from(vectors[69] ?? [])).toEqual(rounded);
    expect(await embedder.embedChunks([])).toEqual([]);
    server.fail({ kind: "wrong-count" }, 1);
    await expect(embedder.embedChunks(texts)).rejects.toThrow(/vectors for/);
  });
});

describe("the answer model", () => {
  it("is the extractive one without a provider, or when configured", () => {
    for (const models of [modelsOf({}), remote({ ANSWER_MODEL: "local" })]) {
      const { model, fallback, modelId } = models.answerModel();
      expect(fallback).toBeNull();
      expect(modelId).toBe(model.modelId);
    }
  });

  it("is the provider's, with the extractive one as its fallback", () => {
    const { model, fallback, modelId } = remote({ ANSWER_MODEL: "gpt-x" }).answerModel();
    expect([model.modelId, modelId]).toEqual(["gpt-x", "gpt-x"]);
    expect(fallback?.provider).not.toBe(model.provider);
  });
});

describe("the remote reranker", () => {
  it("is off unless its base URL is set", () => {
    expect(modelsOf({}).rerankModel()).toBeNull();
  });

  it("scores documents in the caller's order", async () => {
    const reranker = modelsOf({ RERANK_BASE_URL: server.url }).rerankModel();
    const scores = await reranker?.score("cancel a contract", ["opening hours", "cancel a contract now"]);
    expect(scores).toHaveLength(2);
    expect(scores?.[1]).toBeGreaterThan(scores?.[0] ?? 1);
    expect(await reranker?.score("anything", [])).toEqual([]);
  });
});

function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
