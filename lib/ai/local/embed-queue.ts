import { availableParallelism } from "node:os";
import { isBackgroundMode } from "../../background-work.ts";
import { messageOf } from "../../errors.ts";
import { bundledModelDir } from "./bundled-model.ts";
import type { EmbedReply, PairScores } from "./embed-thread.ts";
import { type EmbedSettings, type InferenceThread, type Job, startThread } from "./inference-thread.ts";
import { LocalModelError, unusableModelError } from "./local-model-error.ts";
import type { TokenPair } from "./tokenizer.ts";

/** Questions are embedded first, then results are reranked, then come the texts of an answer, then ingested texts. */
export type EmbedPriority = Exclude<Priority, "rerank">;
type Priority = (typeof PRIORITIES)[number];

const PRIORITIES = ["query", "rerank", "answer", "ingest"] as const;

export interface EmbedQueue {
  /**
   * Returns the vector of a list of token ids, scaled to length 1. Rejects when a thread fails.
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
  /** Rejects the current texts and all queued texts immediately; the threads end when the current texts are done. */
  close(): Promise<void>;
}

/** A query of at most this many tokens takes about 10 ms, one of 256 tokens 40 ms. */
const SHORT_TOKENS = 64;

/** Makes a new thread load its model. */
const WARM_UP: Job = { request: { ids: [0] }, signal: undefined, settle: () => undefined, reject: () => undefined };

/**
 * Queues texts for one inference thread, which takes them one by one. The first text starts the thread, as does the
 * first text after a failure. An idle thread does not keep the process alive.
 *
 * A second thread embeds short queries while the first one computes something longer, so a short query waits for at most
 * one other short text. It starts when a short query has to wait for the first time. In the worker, whose threads have a
 * lower priority than those of questions, the second thread embeds ingested texts. Only the bundled model has a second
 * thread, because a second copy of a large model may not fit in memory. When the second thread fails, the first goes on
 * alone.
 * @param folder the model folder to name in the error when the model cannot be started
 */
export function createEmbedQueue(settings: EmbedSettings, folder: string): EmbedQueue {
  const waiting: Record<Priority, Job[]> = { query: [], rerank: [], answer: [], ingest: [] };
  let first: InferenceThread | undefined;
  let second: InferenceThread | undefined;
  let mayHaveSecond = folder === bundledModelDir();

  function next(): void {
    if (!first?.running) {
      first ??= start(abandon);
      const job = take();
      if (job) first?.run(job);
    }
    if (first?.running && !second?.running) embedBeside(first.running);
  }

  function take(): Job | undefined {
    for (const jobs of PRIORITIES.map((priority) => waiting[priority])) {
      for (let job = jobs.shift(); job; job = jobs.shift()) if (!job.signal?.aborted) return job;
    }
  }

  /** Runs in the second thread what may run beside the other job. */
  function embedBeside(other: Job): void {
    const inBackground = isBackgroundMode();
    const isUseful = inBackground ? availableParallelism() > 1 : !isShort(other);
    if (!isUseful || !mayHaveSecond) return;
    const jobs = inBackground ? waiting.ingest : waiting.query;
    const index = jobs.findIndex((job) => !job.signal?.aborted && (inBackground || isShort(job)));
    if (index < 0) return;
    if (second) {
      const [job] = jobs.splice(index, 1);
      if (job) second.run(job);
    } else {
      // until it is ready, the job may get its turn in the first thread
      second = start(giveUpSecond);
      second?.run(WARM_UP);
    }
  }

  /** Stops using a second thread. The first one gets its job. */
  function giveUpSecond(): void {
    mayHaveSecond = false;
    // its turn has come already
    if (second?.running) waiting.query.unshift(second.running);
    second = undefined;
    next();
  }

  /** Starts a thread, or reports that it cannot be started. */
  function start(onError: (error: LocalModelError) => void): InferenceThread | undefined {
    const onFailed = (reason: string, hasReplied: boolean) =>
      onError(hasReplied ? noVectorError(reason) : unusableModelError(folder, reason));
    try {
      return startThread(settings, { onFree: next, onFailed });
    } catch (error) {
      onFailed(messageOf(error), false);
    }
  }

  /** Rejects all jobs and ends the threads. */
  async function abandon(reason: LocalModelError): Promise<void> {
    const threads = [first, second].filter((thread) => thread !== undefined);
    const lost = [...threads.map(({ running }) => running), ...PRIORITIES.flatMap((each) => waiting[each].splice(0))];
    first = undefined;
    second = undefined;
    for (const job of lost) job?.reject(reason);
    await Promise.all(threads.map((thread) => thread.end()));
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
    close: () => abandon(noVectorError("it was closed")),
  };
}

function isShort({ request }: Job): boolean {
  return "ids" in request && request.ids.length <= SHORT_TOKENS;
}

function errorOf(reply: EmbedReply): string {
  return "error" in reply ? reply.error : "its thread gave another reply";
}

function noVectorError(reason: string): LocalModelError {
  return new LocalModelError(`The local embedding model returned no vector: ${reason}`);
}
