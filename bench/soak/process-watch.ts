import { readFileSync } from "node:fs";
import type { Measured } from "./machine.ts";
import { type ProcessRole, roleOf } from "./process-samples.ts";

const EVERY_MS = 100;
const WORKER_MB_MAX = 512;
/** Its watchdog, which looks from time to time, stops it above 900 MB. */
const READER_MB_MAX = 1_000;
const READER = /parse\/child\.ts/;

/** Watches the processes of the product. */
interface ProcessWatch {
  /** Processor seconds of the worker and its readers since the last call, including readers that ended. */
  takeCpuSeconds(): number;
  /** Peak growth of the worker and its readers since the last call, in megabytes above the start of the watch. */
  takePeakMb(): number;
  /** @returns whether required processes died, and the memory of the worker and of each reader */
  end(): Measured[];
}

/** Processor seconds of each part of the product so far. Readers count for the worker. */
export function cpuSecondsByRole(pids: number[]): Record<ProcessRole, number> {
  const seconds = { web: 0, worker: 0, database: 0 };
  for (const pid of pids) {
    const role = isWorkerOrReader(pid) ? "worker" : roleOf(commandOf(pid));
    if (role) seconds[role] += cpuSeconds(pid);
  }
  return seconds;
}

/** @param pids returns the current process ids of the product */
export function watchProcesses(pids: () => number[]): ProcessWatch {
  const before = namedProcesses(pids());
  // readers from before the watch do not count
  const baseline = workerMb(pids().filter((pid) => roleOf(commandOf(pid)) === "worker"));
  let [recent, workerPeak, readerPeak] = [0, 0, 0];
  // by process, because the time of a killed reader is missing until the worker collects it
  const cpu = new Map<number, number>();
  const readCpu = () => {
    for (const pid of pids().filter(isWorkerOrReader)) cpu.set(pid, Math.max(cpu.get(pid) ?? 0, cpuSeconds(pid, 2)));
    return [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  };
  let cpuBefore = readCpu();
  const timer = setInterval(() => {
    readCpu();
    const workers = pids().filter(isWorkerOrReader);
    recent = Math.max(recent, workerMb(workers) - baseline);
    const readers = workers.filter((pid) => READER.test(commandOf(pid)));
    workerPeak = Math.max(workerPeak, workerMb(workers.filter((pid) => !readers.includes(pid))) - baseline);
    readerPeak = Math.max(readerPeak, ...readers.map(residentMb));
  }, EVERY_MS);
  return {
    takeCpuSeconds() {
      const taken = readCpu() - cpuBefore;
      cpuBefore += taken;
      return taken;
    },
    takePeakMb() {
      const taken = recent;
      recent = 0;
      return Math.round(taken);
    },
    end() {
      clearInterval(timer);
      const after = namedProcesses(pids());
      const deaths = [...before].filter(([pid]) => !after.has(pid)).map(([, role]) => role);
      return [
        { promise: "no process dies except readers", measured: deaths.join(", ") || "none", kept: deaths.length === 0 },
        below("the worker grows by less than", workerPeak, WORKER_MB_MAX),
        below("each reader has less than", readerPeak, READER_MB_MAX),
      ];
    },
  };
}

function below(promise: string, megabytes: number, most: number): Measured {
  return { promise: `${promise} ${most} MB`, measured: `${Math.round(megabytes)} MB`, kept: megabytes < most };
}

/** The product's processes that must not die, with their roles. */
export function namedProcesses(pids: number[]): Map<number, ProcessRole> {
  return new Map(
    pids.flatMap((pid): [number, ProcessRole][] => {
      const role = roleOf(commandOf(pid));
      return role ? [[pid, role]] : [];
    }),
  );
}

function workerMb(pids: number[]): number {
  return pids.filter(isWorkerOrReader).reduce((sum, pid) => sum + residentMb(pid), 0);
}

function isWorkerOrReader(pid: number): boolean {
  const command = commandOf(pid);
  return roleOf(command) === "worker" || READER.test(command);
}

/**
 * Processor seconds of a process: fields 14 to 17 of proc_pid_stat(5), in ticks of 10 ms.
 * @param fieldCount 2 without its ended children
 */
function cpuSeconds(pid: number, fieldCount = 4): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.slice(11, 11 + fieldCount).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** The command line; empty when the process has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
