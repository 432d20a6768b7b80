import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type BenchServer, startServer } from "../server.ts";
import { type ProcessRole, roleOf } from "./process-samples.ts";

/** The product as a process tree that is killed and started again on the same data. */
export interface Restartable {
  /** Where it listens now; it changes with every start of the web server. */
  url(): string;
  /** Whether the web server runs. */
  isUp(): boolean;
  /** Sends one process a signal, as soon as it runs. */
  signal(role: ProcessRole, name: NodeJS.Signals): Promise<void>;
  /**
   * Ends the web server with SIGKILL and starts the tree again.
   * @param variables to be changed
   */
  restart(variables?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestartable(first: Record<string, string>): Promise<Restartable> {
  let variables = first;
  let server: BenchServer = await startServer(variables, () => undefined);
  let up = true;
  const pidOf = (role: ProcessRole) => server.pids().find((pid) => roleOf(commandOf(pid)) === role);
  async function runningPid(role: ProcessRole): Promise<number> {
    for (;;) {
      const pid = pidOf(role);
      if (pid !== undefined) return pid;
      await setTimeout(50);
    }
  }
  return {
    url: () => server.url,
    isUp: () => up,
    signal: async (role, name) => void process.kill(await runningPid(role), name),
    async restart(changed = {}) {
      const pids = server.pids();
      up = false;
      process.kill(await runningPid("web"), "SIGKILL");
      // the worker and the database notice that their parent is gone, and end by themselves
      while (pids.some((each) => commandOf(each) !== "")) await setTimeout(50);
      variables = { ...variables, ...changed };
      server = await startServer(variables, () => undefined);
      up = true;
    },
    stop: () => server.stop(),
  };
}

/** The command line of a process; empty when it is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
