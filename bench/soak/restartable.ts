import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type BenchServer, startServer } from "../server.ts";
import { type ProcessRole, roleOf } from "./process-samples.ts";

/** The product as a process tree that can be killed and restarted on the same data. */
export interface Restartable {
  /** Current address, which changes with every start of the web server. */
  url(): string;
  /** Whether the web server is running. */
  isUp(): boolean;
  /** Sends a signal to one process as soon as it runs. */
  signal(role: ProcessRole, name: NodeJS.Signals): Promise<void>;
  /**
   * Kills the web server with SIGKILL and restarts the tree.
   * @param variables environment variables to change
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
      // the worker and the database exit on their own when their parent is gone
      while (pids.some((each) => commandOf(each) !== "")) await setTimeout(50);
      variables = { ...variables, ...changed };
      server = await startServer(variables, () => undefined);
      up = true;
    },
    stop: () => server.stop(),
  };
}

/** The command line of a process; empty when it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
