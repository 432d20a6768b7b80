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
  /** Ends one process with SIGKILL, and starts the tree again when it was the web server. */
  kill(role: ProcessRole): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestartable(variables: Record<string, string>): Promise<Restartable> {
  let server: BenchServer = await startServer(variables, () => undefined);
  let up = true;
  const pidOf = (role: ProcessRole) => server.pids().find((pid) => roleOf(commandOf(pid)) === role);
  return {
    url: () => server.url,
    isUp: () => up,
    async kill(role) {
      const pids = server.pids();
      const pid = pidOf(role);
      if (pid === undefined) return;
      if (role !== "web") return void process.kill(pid, "SIGKILL");
      up = false;
      process.kill(pid, "SIGKILL");
      // the worker and the database notice that their parent is gone, and end by themselves
      while (pids.some((each) => commandOf(each) !== "")) await setTimeout(50);
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
