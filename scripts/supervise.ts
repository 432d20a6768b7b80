import { type ChildProcess, fork } from "node:child_process";

const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A child that lived this long was well. */
const HEALTHY_AFTER_MS = 60_000;

const quickImports = new URL("./quick-imports.ts", import.meta.url).href;

export interface Supervised {
  /** Asks the child to end and waits until it has; after `graceMs` it is killed. */
  stop(graceMs: number): Promise<void>;
}

/** Keeps one child running: starts another when it ends, ever more patiently when it ends again soon. */
export function supervise(name: string, start: () => Promise<ChildProcess>, first: ChildProcess): Supervised {
  let child = first;
  let startedAt = Date.now();
  let wait = 0;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;

  const watch = () => {
    if (hasEnded(child)) onEnd();
    else child.once("exit", onEnd);
  };
  const onEnd = () => {
    if (stopping) return;
    wait =
      Date.now() - startedAt > HEALTHY_AFTER_MS ? 0 : Math.min(Math.max(SHORTEST_WAIT_MS, wait * 2), LONGEST_WAIT_MS);
    console.error(`${name} ended (${child.signalCode ?? child.exitCode}). Restarting in ${wait / 1000} s.`);
    timer = setTimeout(restart, wait);
  };
  const restart = async () => {
    startedAt = Date.now();
    try {
      child = await start();
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
    if (stopping) child.kill("SIGTERM");
    watch();
  };

  watch();
  return {
    stop: async (graceMs) => {
      stopping = true;
      clearTimeout(timer);
      await end(child, graceMs);
    },
  };
}

/** The variable that names a worker, so that the one that is started after it died takes over its jobs. */
export const WORKER_ID = "RAGSTONE_WORKER_ID";

/** Starts one of our scripts as a child that learns by its channel when this process is gone. */
export function startScript(path: string, variables: Record<string, string> = {}): ChildProcess {
  return fork(path, [], {
    execArgv: ["--import", quickImports],
    env: { ...process.env, ...variables },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
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
