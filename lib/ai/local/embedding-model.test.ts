import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Worker } from "node:worker_threads";
import { cosineSimilarity, embed, embedMany } from "ai";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OnnxGraph } from "../../../scripts/model/onnx-writer.ts";
import { bundledModelDir } from "./bundled-model.ts";
import { createLocalEmbeddingModel, type LocalEmbeddingModel } from "./embedding-model.ts";
import { loadTokenizer } from "./tokenizer.ts";

const LONG = "The technician checks the line between the street cabinet and the house. ".repeat(30);
const asQuery = { ragstone: { priority: "query" } };

let model: LocalEmbeddingModel;
const threads: Worker[] = [];
const remember = (thread: Worker) => threads.push(thread);
beforeAll(async () => {
  process.on("worker", remember);
  model = createLocalEmbeddingModel({ modelDir: bundledModelDir() });
  await model.describe();
});
afterAll(async () => {
  process.off("worker", remember);
  await model.close();
});

const vectorOf = async (value: string) => (await embed({ model, value, maxRetries: 0 })).embedding;

describe("the bundled model", () => {
  it.each([
    ["Our router loses its connection every evening.", "The modem drops the line at night.", 0.6081],
    ["The invoice is due within fourteen days.", "Payment terms: two weeks net.", 0.4943],
    ["How do I cancel my contract?", "Ending your subscription early", 0.3298],
    ["How do I reset my password?", "What is your refund policy?", 0.177],
    ["Opening hours of the shop in Milan", "Photosynthesis turns light into sugar.", 0.0397],
  ])("gives %j and %j the same cosine as the 32-bit weights", async (a, b, cosine) => {
    const { embeddings, usage } = await embedMany({ model, values: [a, b], maxRetries: 0 });
    const [first = [], second = []] = embeddings;
    expect(Math.abs(cosineSimilarity(first, second) - cosine)).toBeLessThan(0.02);
    expect(Math.hypot(...first)).toBeCloseTo(1, 6);
    const tokenizer = await loadTokenizer(bundledModelDir());
    expect(usage.tokens).toBe(tokenizer.count(a) + tokenizer.count(b) + 4);
  });

  it("describes itself", async () => {
    expect(await model.describe()).toEqual({ id: "local/all-MiniLM-L6-v2", dimensions: 384, windowTokens: 256 });
    expect(model.modelId).toBe("local/all-MiniLM-L6-v2");
  });

  it("gives a text the same vector whatever else is in the batch, and again after a restart", async () => {
    const alone = await vectorOf("How do I cancel?");
    const values = [LONG, "How do I cancel?", "Hi", "", "How can I cancel?"];
    expect((await embedMany({ model, values, maxRetries: 0 })).embeddings[1]).toEqual(alone);
    await model.close();
    expect(await vectorOf("How do I cancel?")).toEqual(alone);
  });

  it("reads 256 tokens of a text", async () => {
    const [cut, more] = (await embedMany({ model, values: [LONG, `${LONG} Something else entirely.`] })).embeddings;
    expect(more).toEqual(cut);
  });

  it("ignores padding when its graph gets a batch", async () => {
    const session = await InferenceSession.create(path.join(bundledModelDir(), "model.onnx"));
    const ids = (await loadTokenizer(bundledModelDir())).encode("How do I cancel?", 256);
    const run = async (rows: number[][], length: number) => {
      const padded = rows.flatMap((row) => [...row, ...new Array<number>(length - row.length).fill(0)]);
      const tensor = (values: number[]) =>
        new Tensor("int64", BigInt64Array.from(values, BigInt), [rows.length, length]);
      const { sentence_embedding } = await session.run({
        input_ids: tensor(padded),
        attention_mask: tensor(padded.map((id) => (id > 0 ? 1 : 0))),
      });
      return Array.from(sentence_embedding?.data as Float32Array).slice(0, 384);
    };
    const alone = await run([ids], ids.length);
    const batched = await run([ids, new Array<number>(60).fill(2003)], 60);
    expect(Math.max(...alone.map((value, i) => Math.abs(value - (batched[i] ?? 1))))).toBeLessThan(1e-6);
  });
});

describe("the queue", () => {
  it("embeds a query before the texts that an answer is chosen from, and those before ingested texts", async () => {
    const finished: string[] = [];
    const embed = (priority: string) =>
      model
        .doEmbed({ values: [`${priority} one`, `${priority} two`], providerOptions: { ragstone: { priority } } })
        .then(() => finished.push(priority));
    await Promise.all(["ingest", "answer", "query"].map(embed));
    expect(finished).toEqual(["query", "answer", "ingest"]);
  });

  it("embeds a query before texts that are being ingested", async () => {
    const aborter = new AbortController();
    let ingested = false;
    const ingestion = model.doEmbed({ values: new Array<string>(32).fill(LONG), abortSignal: aborter.signal });
    const rest = ingestion.then(
      () => (ingested = true),
      () => {},
    );
    const query = await model.doEmbed({ values: ["How do I cancel?"], providerOptions: asQuery });
    expect(query.embeddings).toHaveLength(1);
    expect(ingested).toBe(false);
    aborter.abort();
    await rest;
  });

  it("embeds a short query beside long ones, with the same vector", async () => {
    const aborter = new AbortController();
    let embedded = false;
    const values = new Array<string>(200).fill(LONG);
    const long = model.doEmbed({ values, abortSignal: aborter.signal, providerOptions: asQuery }).then(
      () => (embedded = true),
      () => {},
    );
    const { embeddings } = await model.doEmbed({ values: ["How do I cancel?"], providerOptions: asQuery });
    expect(embedded).toBe(false);
    aborter.abort();
    await long;
    expect(embeddings[0]).toEqual(await vectorOf("How do I cancel?"));
  });

  it("drops aborted texts and continues with the rest", async () => {
    const aborter = new AbortController();
    const values = new Array<string>(32).fill(LONG);
    const aborted = model.doEmbed({ values, abortSignal: aborter.signal });
    const other = model.doEmbed({ values: ["Hi"] });
    aborter.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect((await other).embeddings).toHaveLength(1);
    await expect(model.doEmbed({ values, abortSignal: aborter.signal })).rejects.toThrow("enough");
  });

  it("rejects queued texts when the first thread dies, and starts another thread for the next text", async () => {
    // the last thread becomes the first of the queue
    await model.close();
    await vectorOf("Hi");
    // while the thread is idle: stopping a thread inside the runtime ends the process
    const dying = threads.at(-1)?.terminate();
    const waiting = [model.doEmbed({ values: ["Hi", LONG] }), model.doEmbed({ values: ["Ho"] })];
    for (const result of await Promise.allSettled(waiting)) {
      expect(result.status === "rejected" && result.reason.message).toMatch(/its thread ended with code 1/);
    }
    await dying;
    expect(await vectorOf("Hi")).toHaveLength(384);
  });
});

it("lets the process exit while a text is being embedded", async () => {
  const script = `
    import { createLocalEmbeddingModel } from "${path.join(import.meta.dirname, "embedding-model.ts")}";
    const model = createLocalEmbeddingModel({ modelDir: "${bundledModelDir()}" });
    await model.describe();
    model.doEmbed({ values: new Array(8).fill(${JSON.stringify(LONG)}) });
    setTimeout(() => process.exit(0), 30);`;
  const ended = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(ended.stderr).toBe("");
});

it("keeps the process alive until its thread has ended", async () => {
  const script = `
    import { createLocalEmbeddingModel } from "${path.join(import.meta.dirname, "embedding-model.ts")}";
    const model = createLocalEmbeddingModel({ modelDir: "${bundledModelDir()}" });
    await model.describe();
    model.queue.embed(new Array(256).fill(2003), { priority: "query" }).catch(() => {});
    // the thread gets the text before it is asked to end
    await new Promise((resolve) => setTimeout(resolve, 10));
    await model.close();
    console.log("closed");`;
  const ended = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(ended.stdout).toBe("closed\n");
});

describe("another model's folder", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "model-"));
    await copyFile(path.join(bundledModelDir(), "tokenizer.json"), path.join(folder, "tokenizer.json"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A model whose token vectors are [id, 1 + segment]. */
  function tokenVectors(outputName: string): Buffer {
    const graph = new OnnxGraph("token-vectors");
    const last = graph.integers(2);
    const column = (name: string) => graph.node("Unsqueeze", [graph.node("Cast", [name], { to: 1 }), last]);
    const second = graph.node("Add", [column("token_type_ids"), graph.float(1)]);
    graph.node("Concat", [column("input_ids"), second], { axis: 2 }, outputName);
    const input = (name: string) => ({ name, type: "int64" as const, shape: ["batch", "sequence"] });
    const output = { name: outputName, type: "float32" as const, shape: ["batch", "sequence", 2] };
    return graph.toModel(17, [input("input_ids"), input("token_type_ids")], [output]);
  }

  async function embedIn(modelDir: string, value: string) {
    const other = createLocalEmbeddingModel({ modelDir });
    try {
      return { description: await other.describe(), vector: (await other.doEmbed({ values: [value] })).embeddings[0] };
    } finally {
      await other.close();
    }
  }

  it.each(["last_hidden_state", "token_embeddings"])("is pooled by the mean when its output is %s", async (output) => {
    await writeFile(path.join(folder, "model.onnx"), tokenVectors(output));
    const { description, vector = [] } = await embedIn(folder, "cancel");
    const mean = (101 + 17542 + 102) / 3;
    expect(vector[0]).toBeCloseTo(mean / Math.hypot(mean, 1), 6);
    expect(vector[1]).toBeCloseTo(1 / Math.hypot(mean, 1), 6);
    expect(description).toMatchObject({ dimensions: 2, windowTokens: 256 });
    expect(description.id).toMatch(new RegExp(`^local/${path.basename(folder)}@[0-9a-f]{12}$`));
  });

  it("is pooled and cut according to its settings", async () => {
    await writeFile(path.join(folder, "model.onnx"), tokenVectors("last_hidden_state"));
    await mkdir(path.join(folder, "1_Pooling"));
    await writeFile(path.join(folder, "1_Pooling", "config.json"), '{ "pooling_mode_cls_token": true }');
    await writeFile(path.join(folder, "sentence_bert_config.json"), '{ "max_seq_length": 128 }');
    const { description, vector } = await embedIn(folder, "cancel");
    expect(vector?.[0]).toBeCloseTo(101 / Math.hypot(101, 1), 6);
    expect(description.windowTokens).toBe(128);
  });

  it("is refused in one line when a file is missing or is not a model", async () => {
    const start = () => createLocalEmbeddingModel({ modelDir: folder });
    expect(start).toThrow(/model\.onnx does not exist.*Expected: model\.onnx and tokenizer\.json.*EMBEDDING_MODEL_DIR/);
    await writeFile(path.join(folder, "model.onnx"), "not a model");
    await expect(start().describe()).rejects.toThrow(/is not a usable embedding model: .*Expected/);
    await writeFile(path.join(folder, "model.onnx"), tokenVectors("logits"));
    await expect(start().describe()).rejects.toThrow(/its outputs are logits/);
  });
});
