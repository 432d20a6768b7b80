import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { round } from "./measure.ts";

export interface BenchServer {
  url: string;
  startMs: number;
  /** All processes of the product: the server and its children. */
  pids(): number[];
  /** Total resident megabytes of the server, the worker and the embedded database. */
  memoryMb(): number;
  stop(): Promise<void>;
}

/**
 * Starts the product as `npm start` does, on a free port. Logs only errors.
 * @param onOutput receives the standard output and standard error of the product
 */
export async function startServer(
  variables: Record<string, string>,
  onOutput?: (text: string) => void,
): Promise<BenchServer> {
  const started = performance.now();
  const child = fork("scripts/serve/serve.ts", [], {
    execArgv: ["--import", "./scripts/start/quick-imports.ts"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      SAMPLE: "off",
      LOG_LEVEL: "error",
      RATE_LIMIT_PER_MINUTE: "0",
      ...variables,
    },
    stdio: ["ignore", "pipe", onOutput ? "pipe" : "inherit", "ipc"],
  });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => onOutput(String(data)));
  const url = await readyAddress(child);
  return {
    url,
    startMs: round(performance.now() - started),
    pids: () => tree(child.pid ?? 0),
    memoryMb: () => round(tree(child.pid ?? 0).reduce((sum, pid) => sum + residentKb(pid), 0) / 1_024),
    async stop() {
      // a killed server has ended before
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Time for the last output of a process that has ended. Its children may keep the pipes open, so they may never close. */
const LAST_OUTPUT_MS = 500;

async function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (data: Buffer) => {
      printed += data.toString();
      const ready = /Ragstone is ready at (\S+)/.exec(printed);
      if (ready?.[1]) resolve(ready[1]);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", async () => {
      await setTimeout(LAST_OUTPUT_MS);
      reject(new Error(`The server did not start:\n${printed}`));
    });
  });
}

export function tree(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return [pid, ...children.flatMap(tree)];
  } catch {
    return [];
  }
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

const TICK_MS = 10;

/** Milliseconds of processor time that these processes have used. */
export function cpuMsOf(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      // the name in parentheses may contain spaces; the times are the 14th and 15th field
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      return sum;
    }
  }, 0);
}
