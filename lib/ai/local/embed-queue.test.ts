import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundledModelDir } from "./bundled-model.ts";
import { createEmbedQueue, type EmbedQueue } from "./embed-queue.ts";

const GRAPH = path.join(bundledModelDir(), "model.onnx");

let queue: EmbedQueue;
let threads: { worker: Worker; replied: Promise<void>; exited: Promise<void> }[];

function remember(worker: Worker) {
  const event = (name: string) => new Promise<void>((resolve) => worker.once(name, () => resolve()));
  threads.push({ worker, replied: event("message"), exited: event("exit") });
}

beforeEach(() => {
  threads = [];
  process.on("worker", remember);
});
afterEach(async () => {
  process.off("worker", remember);
  await queue.close();
});

/** Creates a queue whose threads get the graph of this function. Returns how often it was called. */
function startQueue(graphOf: (start: number) => string): () => number {
  let starts = 0;
  const settings = {
    pooling: "mean",
    threads: 1,
    get graph() {
      starts += 1;
      return graphOf(starts);
    },
  } as const;
  queue = createEmbedQueue(settings, bundledModelDir());
  return () => starts;
}

function noMemory(): never {
  throw new Error("out of memory");
}

const embed = (tokens: number) => queue.embed(new Array<number>(tokens).fill(2003), { priority: "query" });
/** Embeds long queries, and a short one that has to wait. */
const embedAll = () => Promise.all([...new Array<number>(16).fill(256), 8].map(embed));

describe("without its second thread", () => {
  it.each([
    ["cannot be created", noMemory],
    ["cannot open the model", () => "missing.onnx"],
  ])("embeds every text when it %s, and does not try again", async (_, second) => {
    const starts = startQueue((start) => (start === 2 ? second() : GRAPH));
    const vectors = await embedAll();
    await threads[1]?.exited;
    expect(await embedAll()).toEqual(vectors);
    expect(starts()).toBe(2);
  });

  it("embeds every text when it dies, and does not try again", async () => {
    const starts = startQueue(() => GRAPH);
    const vectors = embedAll();
    await setImmediate();
    await threads[1]?.replied;
    // while the thread is idle: stopping a thread inside the runtime ends the process
    await vectors;
    void threads[1]?.worker.terminate();
    expect(await embedAll()).toEqual(await vectors);
    expect(starts()).toBe(2);
  });
});

it("rejects every text when no thread can be created", async () => {
  startQueue(noMemory);
  for (const result of await Promise.allSettled([embed(8), embed(256)])) {
    expect(result.status === "rejected" && result.reason.message).toMatch(
      /not a usable embedding model: out of memory/,
    );
  }
});
