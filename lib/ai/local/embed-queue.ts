import path from "node:path";
import { Worker } from "node:worker_threads";
import { computesInBackground } from "../../background-work.ts";
import { projectRoot } from "../../env.ts";
import type { EmbedReply, EmbedRequest, EmbedThreadData, PairScores } from "./embed-thread.ts";
import { LocalModelError, unusableModelError } from "./model-folder.ts";
import type { TokenPair } from "./tokenizer.ts";

/** Questions are embedded first, then results are reranked, then come the texts of an answer, then ingested texts. */
export type EmbedPriority = Exclude<Priority, "rerank">;
type Priority = (typeof PRIORITIES)[number];

const PRIORITIES = ["query", "rerank", "answer", "ingest"] as const;

export interface EmbedQueue {
  /**
   * Returns the vector of a list of token ids, scaled to length 1. Rejects when the thread fails.
   * A queued text whose signal is aborted is dropped and its promise never settles; its caller no longer listens.
   */
  embed(ids: number[], options: { priority: EmbedPriority; signal?: AbortSignal }): Promise<Float32Array>;
  /**
   * Scores a batch of pairs by the cross-encoder of a graph, with the same rules.
   * @param options.folder the model folder to name in the error when the cross-encoder cannot run
   */
  score(
    pairs: TokenPair[],
    options: { graph: string; folder: string; signal?: AbortSignal | undefined },
  ): Promise<PairScores>;
  /** Rejects the current text and all queued texts at once; the thread ends when the current text is done. */
  close(): Promise<void>;
}

type EmbedSettings = Pick<EmbedThreadData, "graph" | "pooling" | "threads">;

interface Job {
  request: NonNullable<EmbedRequest>;
  signal: AbortSignal | undefined;
  /** Handles a reply, which may be an error. */
  settle(reply: EmbedReply): void;
  reject(reason: unknown): void;
}

/**
 * Queues texts for one inference thread, which takes them one by one, so a query waits for at most one other text. The
 * first text starts the thread, as does the first text after a failure. An idle thread does not keep the process alive.
 * @param folder the model folder to name in the error when the model cannot be started
 */
export function createEmbedQueue(settings: EmbedSettings, folder: string): EmbedQueue {
  const waiting: Record<Priority, Job[]> = { query: [], rerank: [], answer: [], ingest: [] };
  let running: Job | undefined;
  let thread: EmbedThread | undefined;

  function next(): void {
    if (running) return;
    running = take();
    if (running) {
      thread ??= start();
      thread.send(running.request);
    } else {
      thread?.worker.unref();
    }
  }

  function take(): Job | undefined {
    for (const jobs of PRIORITIES.map((priority) => waiting[priority])) {
      for (let job = jobs.shift(); job; job = jobs.shift()) if (!job.signal?.aborted) return job;
    }
  }

  function start(): EmbedThread {
    const started = startThread(settings);
    let hasReplied = false;

    started.worker.on("message", (reply: EmbedReply) => {
      if (thread !== started) return;
      hasReplied = true;
      const job = running;
      running = undefined;
      job?.settle(reply);
      next();
    });
    function failed(reason: string): void {
      if (thread === started) abandon(hasReplied ? noVectorError(reason) : unusableModelError(folder, reason));
    }
    started.worker.on("error", (error) => failed(error instanceof Error ? error.message : String(error)));
    started.worker.on("exit", (code) => failed(`its thread ended with code ${code}`));
    return started;
  }

  function abandon(reason: LocalModelError): void {
    const lost = [running, ...PRIORITIES.flatMap((priority) => waiting[priority].splice(0))];
    running = undefined;
    thread = undefined;
    for (const job of lost) job?.reject(reason);
  }

  return {
    embed(ids, { priority, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
      const settle = (reply: EmbedReply) =>
        "vector" in reply ? resolve(reply.vector) : reject(noVectorError(errorOf(reply)));
      waiting[priority].push({ request: { ids }, signal, settle, reject });
      next();
      return promise;
    },
    score(pairs, { graph, folder, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<PairScores>();
      const settle = (reply: EmbedReply) =>
        "logits" in reply ? resolve(reply) : reject(unusableModelError(folder, errorOf(reply), { use: "reranking" }));
      waiting.rerank.push({ request: { graph, pairs }, signal, settle, reject });
      next();
      return promise;
    },
    async close() {
      const closing = thread;
      abandon(noVectorError("it was closed"));
      if (!closing) return;
      closing.send(null);
      await new Promise((resolve) => closing.worker.once("exit", resolve));
    },
  };
}

interface EmbedThread {
  worker: Worker;
  send(request: EmbedRequest): void;
}

/** How long the process, on exit, waits for the text that is being computed. */
const EXIT_WAIT_MS = 5_000;

function startThread(settings: EmbedSettings): EmbedThread {
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // bundlers must not rewrite this path: Node runs the source file, without the flags of the process
  const file = path.join(/* turbopackIgnore: true */ projectRoot(), "lib", "ai", "local", "embed-thread.ts");
  const workerData: EmbedThreadData = { ...settings, inBackground: computesInBackground(), busy };
  const worker = new Worker(file, { workerData, execArgv: [] });

  // a thread that is stopped inside ONNX Runtime aborts the whole process
  const finish = () => Atomics.wait(busy, 0, 1, EXIT_WAIT_MS);
  process.on("exit", finish);
  worker.on("exit", () => process.off("exit", finish));

  return {
    worker,
    send(request) {
      Atomics.store(busy, 0, 1);
      worker.ref();
      worker.postMessage(request);
    },
  };
}

function errorOf(reply: EmbedReply): string {
  return "error" in reply ? reply.error : "its thread gave another reply";
}

function noVectorError(reason: string): LocalModelError {
  return new LocalModelError(`The local embedding model returned no vector: ${reason}`);
}
