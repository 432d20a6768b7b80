import { parentPort, workerData } from "node:worker_threads";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { lowerPriority } from "../../background-work.ts";
import type { TokenPair } from "./tokenizer.ts";

/** The data that the thread is started with. */
export interface EmbedThreadData {
  graph: string;
  pooling: "mean" | "cls";
  threads: number;
  /** Whether other processes go first. */
  inBackground: boolean;
  /** One shared number: 1 during a request, else 0. */
  busy: Int32Array<SharedArrayBuffer>;
}

/** One text to embed, or a batch of pairs to score by the cross-encoder of a graph; null asks the thread to end. */
export type EmbedRequest = { ids: number[] } | { graph: string; pairs: TokenPair[] } | null;

/** The logit of each pair, and how long the batch took. */
export interface PairScores {
  logits: Float32Array;
  ms: number;
}

/** One reply for each request, in the order they were sent. */
export type EmbedReply = { vector: Float32Array } | PairScores | { error: string };

/** Output names of sentence-transformers exports: one pooled vector, or one vector per token. */
const POOLED = "sentence_embedding";
const UNPOOLED = ["last_hidden_state", "token_embeddings"];
/** Output name of cross-encoders. */
const LOGITS = "logits";

const WARNINGS_OFF = 3;

const { graph, pooling, threads, inBackground, busy }: EmbedThreadData = workerData;
// before ONNX Runtime starts its threads, which keep the priority that they start with
if (inBackground) lowerPriority("model");
process.on("exit", markIdle);

const session = await openGraph(graph);
/** Cross-encoders, loaded when they are first used. */
const crossEncoders = new Map<string, Promise<InferenceSession>>();
const output = [POOLED, ...UNPOOLED].find((name) => session.outputNames.includes(name));
if (!output) {
  throw new Error(`its outputs are ${session.outputNames.join(", ")}, none of ${POOLED}, ${UNPOOLED.join(", ")}`);
}

parentPort?.on("message", async (request: EmbedRequest) => {
  if (!request) return parentPort?.close();
  const reply = await compute(request, output).catch(
    (error: unknown): EmbedReply => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  markIdle();
  parentPort?.postMessage(reply);
});

function openGraph(file: string): Promise<InferenceSession> {
  return InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: WARNINGS_OFF,
  });
}

async function compute(request: NonNullable<EmbedRequest>, output: string): Promise<EmbedReply> {
  return "ids" in request ? { vector: await embed(request.ids, output) } : scorePairs(request.graph, request.pairs);
}

function markIdle(): void {
  Atomics.store(busy, 0, 0);
  Atomics.notify(busy, 0);
}

/** Embeds one text at a time: in a batch, the last bits of a vector depend on the other texts. */
async function embed(ids: number[], output: string): Promise<Float32Array> {
  const values = await runGraph(session, [{ ids, types: new Array<number>(ids.length).fill(0) }], output);
  return normalize(output === POOLED ? values : pool(values, ids.length));
}

async function scorePairs(graph: string, pairs: TokenPair[]): Promise<PairScores> {
  const opening = crossEncoders.get(graph) ?? openGraph(graph);
  crossEncoders.set(graph, opening);
  opening.catch(() => crossEncoders.delete(graph));
  const crossEncoder = await opening;
  const name = crossEncoder.outputNames.find((each) => each === LOGITS) ?? crossEncoder.outputNames[0] ?? LOGITS;
  const started = performance.now();
  const logits = await runGraph(crossEncoder, pairs, name);
  if (logits.length !== pairs.length) {
    throw new Error(`${name} has ${logits.length} numbers for ${pairs.length} pairs, not one for each`);
  }
  return { logits, ms: performance.now() - started };
}

/** Runs a graph over a batch of texts. Shorter texts are padded and masked. */
async function runGraph(graph: InferenceSession, texts: TokenPair[], output: string): Promise<Float32Array> {
  const length = Math.max(...texts.map(({ ids }) => ids.length));
  const shape = [texts.length, length];
  const tensor = (row: (text: TokenPair) => number[]) => {
    const values = new BigInt64Array(texts.length * length);
    for (const [index, text] of texts.entries()) values.set(row(text).map(BigInt), index * length);
    return new Tensor("int64", values, shape);
  };
  const inputs: Record<string, () => Tensor> = {
    input_ids: () => tensor(({ ids }) => ids),
    attention_mask: () => tensor(({ ids }) => ids.map(() => 1)),
    token_type_ids: () => tensor(({ types }) => types),
  };
  const given = Object.entries(inputs).filter(([name]) => graph.inputNames.includes(name));
  const feeds = Object.fromEntries(given.map(([name, make]) => [name, make()]));
  const values = (await graph.run(feeds, [output]))[output]?.data;
  if (!(values instanceof Float32Array)) throw new Error(`${output} does not contain 32-bit floats`);
  return values;
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
