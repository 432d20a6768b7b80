import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";

/** The data that the thread is started with. */
export interface EmbedThreadData {
  graph: string;
  pooling: "mean" | "cls";
  threads: number;
  /** One shared number: 1 while a text is being embedded, else 0. */
  busy: Int32Array<SharedArrayBuffer>;
}

/** The ids of one text; null asks the thread to end. */
export type EmbedRequest = number[] | null;

/** One reply for each list of token ids, in the order they were sent. */
export type EmbedReply = { vector: Float32Array } | { error: string };

/** Output names of sentence-transformers exports: one pooled vector, or one vector per token. */
const POOLED = "sentence_embedding";
const UNPOOLED = ["last_hidden_state", "token_embeddings"];

const WARNINGS_OFF = 3;

const { graph, pooling, threads, busy }: EmbedThreadData = workerData;
process.on("exit", markIdle);

const session = await InferenceSession.create(graph, {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  logSeverityLevel: WARNINGS_OFF,
});
const output = [POOLED, ...UNPOOLED].find((name) => session.outputNames.includes(name));
if (!output) {
  throw new Error(`its outputs are ${session.outputNames.join(", ")}, none of ${POOLED}, ${UNPOOLED.join(", ")}`);
}

parentPort?.on("message", async (ids: EmbedRequest) => {
  if (!ids) return parentPort?.close();
  const reply = await embed(ids, output).then(
    (vector): EmbedReply => ({ vector }),
    (error: unknown): EmbedReply => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  markIdle();
  parentPort?.postMessage(reply);
});

function markIdle(): void {
  Atomics.store(busy, 0, 0);
  Atomics.notify(busy, 0);
}

/** Embeds one text at a time: in a batch, the last bits of a vector depend on the other texts. */
async function embed(ids: number[], output: string): Promise<Float32Array> {
  const shape = [1, ids.length];
  const inputs: Record<string, Tensor> = {
    input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  };
  const feeds = Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)));
  const values = (await session.run(feeds, [output]))[output]?.data;
  if (!(values instanceof Float32Array)) throw new Error(`${output} does not contain 32-bit floats`);
  return normalize(output === POOLED ? values : pool(values, ids.length));
}

/** Pools [tokens, size] to [size]. */
function pool(values: Float32Array, tokens: number): Float32Array {
  const size = values.length / tokens;
  if (pooling === "cls") return values.slice(0, size);
  return Float32Array.from({ length: size }, (_, column) => {
    let sum = 0;
    for (let token = 0; token < tokens; token += 1) sum += values[token * size + column] ?? 0;
    return sum / tokens;
  });
}

function normalize(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) throw new Error("the model returned a zero vector");
  return vector.map((value) => value / length);
}
