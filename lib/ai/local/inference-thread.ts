import path from "node:path";
import { Worker } from "node:worker_threads";
import { isBackgroundMode } from "../../background-work.ts";
import { messageOf } from "../../errors.ts";
import { projectRoot } from "../../project-root.ts";
import type { EmbedReply, EmbedRequest, EmbedThreadData } from "./embed-thread.ts";

export type EmbedSettings = Pick<EmbedThreadData, "graph" | "pooling" | "threads">;

/** A request to the model and what becomes of its reply. */
export interface Job {
  request: NonNullable<EmbedRequest>;
  signal: AbortSignal | undefined;
  /** Handles a reply, which may be an error. */
  settle(reply: EmbedReply): void;
  reject(reason: unknown): void;
}

/** A thread that computes one job at a time. */
export interface InferenceThread {
  readonly running: Job | undefined;
  run(job: Job): void;
  /** Ends the thread when its job is done, whose reply is ignored. */
  end(): Promise<void>;
}

/** Neither is called once the thread is ending. */
interface ThreadEvents {
  /** The thread has replied and may run another job. */
  onFree(): void;
  /**
   * The thread has failed and ends; called once.
   * @param hasReplied whether the model could be started
   */
  onFailed(reason: string, hasReplied: boolean): void;
}

/** How long the process, on exit, waits for the texts that are being computed. */
const EXIT_WAIT_MS = 5_000;

let exitDeadline: number | undefined;

/**
 * Starts a thread with a copy of the model.
 * @throws {Error} when the system starts no thread
 */
export function startThread(settings: EmbedSettings, { onFree, onFailed }: ThreadEvents): InferenceThread {
  const busy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  // bundlers must not rewrite this path: Node runs the source file, without the flags of the process
  const file = path.join(/* turbopackIgnore: true */ projectRoot(), "lib", "ai", "local", "embed-thread.ts");
  const workerData: EmbedThreadData = { ...settings, inBackground: isBackgroundMode(), busy };
  const worker = new Worker(file, { workerData, execArgv: [] });
  let running: Job | undefined;
  let hasReplied = false;
  let isEnding = false;

  // a thread that is stopped inside ONNX Runtime aborts the whole process
  const finish = () => {
    exitDeadline ??= performance.now() + EXIT_WAIT_MS;
    Atomics.wait(busy, 0, 1, exitDeadline - performance.now());
  };
  process.on("exit", finish);
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  void ended.then(() => process.off("exit", finish));

  worker.on("message", (reply: EmbedReply) => {
    if (isEnding) return;
    hasReplied = true;
    const job = running;
    running = undefined;
    // an idle thread does not keep the process alive
    worker.unref();
    job?.settle(reply);
    onFree();
  });
  worker.on("error", (error) => fail(messageOf(error)));
  worker.on("exit", (code) => fail(`its thread ended with code ${code}`));

  function fail(reason: string): void {
    if (isEnding) return;
    isEnding = true;
    onFailed(reason, hasReplied);
  }

  function send(request: EmbedRequest): void {
    worker.ref();
    worker.postMessage(request);
  }

  return {
    get running() {
      return running;
    },
    run(job) {
      running = job;
      Atomics.store(busy, 0, 1);
      send(job.request);
    },
    end() {
      isEnding = true;
      send(null);
      return ended;
    },
  };
}
