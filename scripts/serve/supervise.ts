import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** A child that ran this long resets the backoff. */
const HEALTHY_AFTER_MS = 60_000;

export const QUICK_IMPORTS = new URL("../start/quick-imports.ts", import.meta.url).href;
/** How long requests in flight may take when the server stops. */
export const REQUESTS_GRACE_MS = 25_000;

export interface Supervised {
  /** Terminates the child and waits for its end; kills it after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Keeps one child running: restarts it when it ends, with exponential backoff. */
export function supervise(name: string, start: () => Promise<ChildProcess>, first: ChildProcess): Supervised {
  let child = first;
  let startedAt = Date.now();
  let backoff = 0;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | undefined;

  const watch = () => {
    if (hasEnded(child)) onEnd();
    else child.once("exit", onEnd);
  };
  const onEnd = () => {
    if (stopping) return;
    backoff =
      Date.now() - startedAt > HEALTHY_AFTER_MS ? 0 : Math.min(Math.max(MIN_BACKOFF_MS, backoff * 2), MAX_BACKOFF_MS);
    console.error(`${name} ended (${child.signalCode ?? child.exitCode}). Restarting in ${backoff / 1000} s.`);
    timer = setTimeout(() => {
      restarting = restart();
    }, backoff);
  };
  const restart = async () => {
    startedAt = Date.now();
    try {
      child = await start();
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
    watch();
  };

  watch();
  return {
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      // otherwise the child that is starting would outlive this process
      await restarting;
      await end(child, graceMs);
    },
  };
}

/** Environment variable with the worker's id. A restarted worker keeps the id, and so takes over its own jobs. */
export const WORKER_ID = "RAGSTONE_WORKER_ID";

/**
 * Starts one of our scripts as a child, whose IPC channel closes when this process is gone.
 * @throws Error when the system starts no more processes
 */
export async function startScript(path: string, variables: Record<string, string> = {}): Promise<ChildProcess> {
  const child = fork(path, [], {
    execArgv: ["--import", QUICK_IMPORTS],
    env: { ...process.env, ...variables },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // rejects on an error event, which would otherwise end this process
  await once(child, "spawn");
  return child;
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
