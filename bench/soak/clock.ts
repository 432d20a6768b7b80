import { renameSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { HOUR_MS } from "../../lib/durations.ts";
import { type Measured, row } from "./machine.ts";
import type { Subject } from "./subject.ts";

const SHIFTS_HOURS = { short: [30, 0], full: [30, -3, 0, 24 * 400, 0] };
const SOURCES_PER_SHIFT = 5;
const STUCK_AFTER_MS = 60_000;

/** Environment for every process of the product, including the embedded database. */
export function shiftedClock(dataDir: string): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${new URL("shifted-clock.mjs", import.meta.url)}`,
    CLOCK_SHIFT_FILE: shiftFile(dataDir),
  };
}

/** Sets the clock forward and back in the middle of some work, first while the product runs, then between two starts. */
export async function shiftClock(subject: Subject, dataDir: string): Promise<Measured[]> {
  const { give, restart, settle, random, short, say } = subject;
  let longest = 0;
  const shifts = short ? SHIFTS_HOURS.short : SHIFTS_HOURS.full;
  for (const isRunning of [true, false]) {
    for (const hours of shifts) {
      await give(SOURCES_PER_SHIFT);
      await setTimeout(random.next() * 1_000);
      setShift(dataDir, hours);
      if (!isRunning) await restart();
      await give(SOURCES_PER_SHIFT);
      const ms = await settle();
      longest = Math.max(longest, ms);
      const when = isRunning ? "in a running product" : "after a restart";
      say(`clock at ${hours} h ${when}: everything searchable after ${Math.round(ms / 1_000)} s`);
    }
  }
  const measured = `${Math.round(longest / 1_000)} s max`;
  return [row("no job is stuck for 60 s after a clock change", measured, longest < STUCK_AFTER_MS)];
}

function shiftFile(dataDir: string): string {
  return `${dataDir}/clock-shift`;
}

/** Replaces the file in one step, because the processes read it at any time. */
function setShift(dataDir: string, hours: number): void {
  const file = shiftFile(dataDir);
  writeFileSync(`${file}.new`, String(hours * HOUR_MS));
  renameSync(`${file}.new`, file);
}
