import path from "node:path";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../../env.ts";
import type { EmbedReply, EmbedRequest, EmbedThreadData } from "./embed-thread.ts";
import { LocalModelError, unusable } from "./model-folder.ts";

/** A query goes before everything that is being ingested. */
export type EmbedPriority = "query" | "ingest";

export interface EmbedQueue {
  /**
   * The vector of a list of token ids, of length 1. Rejects when the thread fails.
   * A text that still waits when its signal is aborted is dropped without an answer; its caller no longer listens.
   */
  embed(ids: number[], options: { priority: EmbedPriority; signal?: AbortSignal }): Promise<Float32Array>;
  /** Ends the thread when the text that it is at is done; that and what waits is rejected at once. */
  close(): Promise<void>;
}

interface Job {
  ids: number[];
  signal: AbortSignal | undefined;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/**
 * Texts wait here and go to one inference thread one by one, so a query waits for at most one other text.
 * The thread is started by the first text and after it has failed, and does not keep the process alive while idle.
 * @param folder what a model that cannot be started is blamed on
 */
export function createEmbedQueue(settings: Omit<EmbedThreadData, "busy">, folder: string): EmbedQueue {
  const waiting: Record<EmbedPriority, Job[]> = { query: [], ingest: [] };
  let running: Job | undefined;
  let thread: EmbedThread | undefined;

  function next(): void {
    if (running) return;
    running = take();
    if (running) {
      thread ??= start();
      thread.send(running.ids);
    } else {
      thread?.worker.unref();
    }
  }

  function take(): Job | undefined {
    for (const jobs of [waiting.query, waiting.ingest]) {
      for (let job = jobs.shift(); job; job = jobs.shift()) if (!job.signal?.aborted) return job;
    }
  }

  function start(): EmbedThread {
    const started = startThread(settings);
    let proven = false;

    started.worker.on("message", (reply: EmbedReply) => {
      if (thread !== started) return;
      proven = true;
      const job = running;
      running = undefined;
      if ("vector" in reply) job?.resolve(reply.vector);
      else job?.reject(stopped(reply.error));
      next();
    });
    function failed(reason: string): void {
      if (thread === started) abandon(proven ? stopped(reason) : unusable(folder, reason));
    }
    started.worker.on("error", (error) => failed(error instanceof Error ? error.message : String(error)));
    started.worker.on("exit", (code) => failed(`its thread ended with code ${code}`));
    return started;
  }

  function abandon(reason: LocalModelError): void {
    const lost = [running, ...waiting.query.splice(0), ...waiting.ingest.splice(0)];
    running = undefined;
    thread = undefined;
    for (const job of lost) job?.reject(reason);
  }

  return {
    embed(ids, { priority, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
      waiting[priority].push({ ids, signal, resolve, reject });
      next();
      return promise;
    },
    async close() {
      const closing = thread;
      abandon(stopped("it was closed"));
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

/** The longest that leaving the process waits for the text that is being computed. */
const PATIENCE_MS = 5_000;

function startThread(settings: Omit<EmbedThreadData, "busy">): EmbedThread {
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // bundlers must leave this path alone: Node runs the source file, whatever flags the process was given
  const file = path.join(/* turbopackIgnore: true */ projectRoot(), "lib", "ai", "local", "embed-thread.ts");
  const worker = new Worker(file, { workerData: { ...settings, busy } satisfies EmbedThreadData, execArgv: [] });

  // a thread that is stopped inside ONNX Runtime aborts the whole process
  const finish = () => Atomics.wait(busy, 0, 1, PATIENCE_MS);
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

function stopped(reason: string): LocalModelError {
  return new LocalModelError(`The local embedding model gave no vector: ${reason}`);
}
