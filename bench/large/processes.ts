import { readFileSync } from "node:fs";
import { postgresPids } from "../postgres-process.ts";

/** Megabytes of each process of the product, and of the database's processes together: the proportional set size. */
export async function memoryOf(pids: number[]): Promise<Record<string, number>> {
  const own = pids.map((pid, index): [string, number] => [`${index} ${nameOf(pid)}`, megabytesOf([pid])]);
  return { ...Object.fromEntries(own), PostgreSQL: megabytesOf(await postgresPids()) };
}

/** The script that the process runs. */
function nameOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return words.findLast((word) => /\.m?[jt]s$/.test(word))?.replace(/.*\//, "") ?? `process ${words[0]}`;
}

function megabytesOf(pids: number[]): number {
  const kilobytes = pids.map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // it has ended
      return 0;
    }
  });
  return Math.round(kilobytes.reduce((sum, each) => sum + each) / 1_024);
}
