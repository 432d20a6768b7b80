import path from "node:path";
import { Worker } from "node:worker_threads";
import { projectRoot } from "../../env.ts";
import type { EmbedReply, EmbedThreadData } from "./embed-thread.ts";
import { LocalModelError, unusable } from "./model-folder.ts";

/** A query goes before everything that is being ingested. */
export type EmbedPriority = "query" | "ingest";

export interface EmbedQueue {
  /**
   * The vector of a list of token ids, of length 1.
   * Rejects with the signal's reason, or when the thread fails; a text that is being computed is not interrupted.
   */
  embed(ids: number[], options: { priority: EmbedPriority; signal?: AbortSignal }): Promise<Float32Array>;
  /** Ends the thread; what waits is rejected. */
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
export function createEmbedQueue(data: EmbedThreadData, folder: string): EmbedQueue {
  const waiting: Record<EmbedPriority, Job[]> = { query: [], ingest: [] };
  let running: Job | undefined;
  let thread: Worker | undefined;

  function next(): void {
    if (running) return;
    running = take();
    if (running) {
      thread ??= start();
      thread.ref();
      thread.postMessage(running.ids);
    } else {
      thread?.unref();
    }
  }

  function take(): Job | undefined {
    for (const jobs of [waiting.query, waiting.ingest]) {
      for (let job = jobs.shift(); job; job = jobs.shift()) if (!job.signal?.aborted) return job;
    }
  }

  function start(): Worker {
    // bundlers must leave this path alone: Node runs the source file, whatever flags the process was given
    const file = path.join(/* turbopackIgnore: true */ projectRoot(), "lib", "ai", "local", "embed-thread.ts");
    const started = new Worker(file, { workerData: data, execArgv: [] });
    let proven = false;

    started.on("message", (reply: EmbedReply) => {
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
    started.on("error", (error) => failed(error instanceof Error ? error.message : String(error)));
    started.on("exit", (code) => failed(`its thread ended with code ${code}`));
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
      await closing?.terminate();
    },
  };
}

function stopped(reason: string): LocalModelError {
  return new LocalModelError(`The local embedding model gave no vector: ${reason}`);
}
