import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeOverlapCrossEncoder } from "../../../scripts/test/overlap-cross-encoder.ts";
import { parseEnv } from "../../env.ts";
import { createModels } from "../models.ts";
import { bundledModelDir } from "./bundled-model.ts";
import { createCrossEncoder } from "./cross-encoder.ts";
import type { EmbedQueue } from "./embed-queue.ts";
import { loadTokenizer } from "./tokenizer.ts";

let folder: string;
beforeAll(async () => {
  folder = await writeOverlapCrossEncoder();
});
afterAll(() => rm(folder, { recursive: true }));

const documents = [
  "Opening hours of the shop",
  "Cancel a contract by mail",
  "How to cancel a contract: cancel it online",
];
const modelsOf = (variables: Record<string, string>) => createModels(parseEnv(variables));

describe("a cross-encoder in RERANK_MODEL_DIR", () => {
  it("scores each document by its logit, in the order given", async () => {
    const models = modelsOf({ RERANK_MODEL_DIR: folder });
    const scores = await models.rerankModel()?.score("cancel contract", documents);
    const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
    expect(scores?.map((score) => score.toFixed(5))).toEqual([0, 2, 3].map((logit) => sigmoid(logit).toFixed(5)));
    expect(await models.rerankModel()?.score("cancel", [])).toEqual([]);
  });

  it("gives a document the same score whatever else is scored", async () => {
    const reranker = modelsOf({ RERANK_MODEL_DIR: folder }).rerankModel();
    const [, alone] = [documents[0], await reranker?.score("cancel contract", documents.slice(0, 1))];
    const many = Array.from({ length: 20 }, (_, index) => `${documents[index % 3]} ${"and more ".repeat(index)}`);
    const together = await reranker?.score("cancel contract", [...documents.slice(0, 1), ...many]);
    expect(together).toHaveLength(21);
    expect(together?.[0]).toBe(alone?.[0]);
  });

  it("comes after a remote reranker", () => {
    const both = modelsOf({ RERANK_MODEL_DIR: folder, RERANK_BASE_URL: "http://127.0.0.1:1" });
    expect(both.rerankModel()?.modelId).toBe("rerank-v3.5");
  });

  it("is refused when it gives more than one number for a pair", async () => {
    const other = await writeOverlapCrossEncoder({ outputs: 2 });
    try {
      const scoring = modelsOf({ RERANK_MODEL_DIR: other }).rerankModel()?.score("cancel", documents);
      await expect(scoring).rejects.toThrow(
        /is not a usable reranking model: logits has .* not one for each.*RERANK_MODEL_DIR/,
      );
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it("is refused in one line when the folder has no model or the file is not a model", async () => {
    expect(() => modelsOf({ RERANK_MODEL_DIR: "docs" }).rerankModel()).toThrow(/does not exist.*RERANK_MODEL_DIR/);
    const other = await writeOverlapCrossEncoder();
    try {
      await writeFile(path.join(other, "model.onnx"), "not a model");
      const models = modelsOf({ RERANK_MODEL_DIR: other });
      await expect(models.rerankModel()?.score("cancel", documents)).rejects.toThrow(/is not a usable reranking model/);
      // the embedding model shares the thread and still works
      expect(await (await models.embedder()).embedQuery("cancel")).toHaveLength(384);
    } finally {
      await rm(other, { recursive: true });
    }
  });
});

describe("the time budget", () => {
  /** A model that takes so many milliseconds per token. */
  function slowQueue(msPerToken: number): Pick<EmbedQueue, "score"> & { scored: number[] } {
    const scored: number[] = [];
    return {
      scored,
      async score(pairs) {
        scored.push(pairs.length);
        const tokens = pairs.reduce((sum, { ids }) => sum + ids.length, 0);
        return { logits: new Float32Array(pairs.length), ms: tokens * msPerToken };
      },
    };
  }

  it.each([
    [0.01, 50],
    [0.24, 50],
    [0.48, 25],
    [100, 1],
  ])("at %d ms per token lets %i of 50 short documents be scored", async (msPerToken, expected) => {
    const queue = slowQueue(msPerToken);
    const reranker = createCrossEncoder({ modelDir: folder, queue });
    // [CLS] cancel [SEP] + 6 words + [SEP]: 10 tokens
    const short = new Array<string>(50).fill("a b c d e f");
    expect(await reranker.score("cancel", short)).toHaveLength(expected);
    expect(await reranker.score("cancel", short)).toHaveLength(expected);
    expect(Math.max(...queue.scored)).toBeLessThanOrEqual(8);
  });
});

describe("encodePair", () => {
  it("puts both texts into the window, with the type of each token", async () => {
    const tokenizer = await loadTokenizer(bundledModelDir());
    const { ids, types } = tokenizer.encodePair("cancel", "the contract", { questionMax: 8, max: 16 });
    const [cancel, the, contract] = ["cancel", "the", "contract"].map((word) => tokenizer.encode(word, 3)[1]);
    expect(ids).toEqual([101, cancel, 102, the, contract, 102]);
    expect(types).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it("cuts the question and then the document", async () => {
    const tokenizer = await loadTokenizer(bundledModelDir());
    const { ids, types } = tokenizer.encodePair("a ".repeat(100), "b ".repeat(100), { questionMax: 5, max: 16 });
    expect(ids).toHaveLength(16);
    expect(types.filter((type) => type === 0)).toHaveLength(7);
    expect(ids.at(-1)).toBe(102);
  });
});
