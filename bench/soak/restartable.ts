import { readFileSync } from "node:fs";
import { type BenchServer, startServer } from "../server.ts";
import { type ProcessRole, roleOf } from "./process-samples.ts";
import { waitFor } from "./wait.ts";

const ENDED_WITHIN_MS = 60_000;

/** The product as a process tree that can be killed and restarted on the same data. */
export interface Restartable {
  /** Current URL, which changes with every start of the web server. */
  url(): string;
  /** Whether the web server is running. */
  isUp(): boolean;
  /** Sends a signal to one process as soon as it runs, and waits for its end after SIGKILL. */
  signal(role: ProcessRole, name: NodeJS.Signals): Promise<void>;
  /**
   * Kills the web server with SIGKILL and restarts the tree.
   * @param variables environment variables to change
   * @param onKilled runs before the other processes have ended
   */
  restart(variables: Record<string, string>, onKilled: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestartable(first: Record<string, string>): Promise<Restartable> {
  let variables = first;
  let server: BenchServer = await startServer(variables, () => undefined);
  let up = true;
  const pidOf = (role: ProcessRole) => server.pids().find((pid) => roleOf(commandOf(pid)) === role);
  const runningPid = (role: ProcessRole) => waitFor(`the ${role} process to run`, () => pidOf(role) ?? null);
  const untilEnded = (pids: number[]) =>
    waitFor("killed processes to end", () => pids.every((pid) => commandOf(pid) === ""), {
      limitMs: ENDED_WITHIN_MS,
      everyMs: 5,
    });
  return {
    url: () => server.url,
    isUp: () => up,
    async signal(role, name) {
      const pid = await runningPid(role);
      process.kill(pid, name);
      if (name === "SIGKILL") await untilEnded([pid]);
    },
    async restart(changed, onKilled) {
      const pids = server.pids();
      up = false;
      process.kill(await runningPid("web"), "SIGKILL");
      await onKilled();
      // the worker and the database exit on their own when their parent is gone
      await untilEnded(pids);
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
