import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ProcessSample {
  /** Resident memory. */
  megabytes: number;
  /** Open file descriptors that are files or folders. */
  files: number;
  /** Of those, files that are open more than once or deleted, as a leak would leave them. */
  strayFiles: number;
  /** Open file descriptors that are sockets. */
  sockets: number;
}

export type ProcessRole = "web" | "worker" | "database";

const SCRIPTS: Record<ProcessRole, RegExp> = {
  web: /scripts\/serve\/serve\.ts/,
  worker: /scripts\/serve\/worker\.ts/,
  database: /embedded\/owner\.ts/,
};

/** Current resources of the product's processes, by role. Ended processes are left out. */
export function sampleProcesses(pids: number[]): Partial<Record<ProcessRole, ProcessSample>> {
  const samples: Partial<Record<ProcessRole, ProcessSample>> = {};
  for (const pid of pids) {
    try {
      const role = roleOf(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
      if (role) samples[role] = sampleProcess(pid);
    } catch {
      // the process ended in the meantime
    }
  }
  return samples;
}

/** The role of a product process, by its command line; undefined for any other process. */
export function roleOf(command: string): ProcessRole | undefined {
  return (["web", "worker", "database"] as const).find((role) => SCRIPTS[role].test(command));
}

function sampleProcess(pid: number): ProcessSample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  const files = targets.filter((target) => target.startsWith("/") && target !== "/dev/null");
  const kept = new Set(files.filter((file) => !file.endsWith(" (deleted)")));
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024,
    files: files.length,
    strayFiles: files.length - kept.size,
    sockets: targets.filter((target) => target.startsWith("socket:")).length,
  };
}

function targetOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

/** How much `y` grows while `x` grows by 1, by least squares; 0 for fewer than two points. Pure. */
export function slope(points: { x: number; y: number }[]): number {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (points.length < 2 || spread === 0) return 0;
  return points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
