import { setTimeout } from "node:timers/promises";
import { HOUR_MS } from "../../lib/durations.ts";
import { type Measured, row } from "./machine.ts";
import type { Subject } from "./subject.ts";

const SHIFTS_HOURS = { short: [30, 0], full: [30, -3, 0, 24 * 400, 0] };
const SOURCES_PER_SHIFT = 5;
const STUCK_AFTER_MS = 60_000;

/** Environment for every process of the product, including the embedded database. */
export const SHIFTED_CLOCK = {
  NODE_OPTIONS: `--import ${new URL("shifted-clock.mjs", import.meta.url)}`,
  CLOCK_SHIFT_MS: "0",
};

/** Sets the clock forward and back, each time in the middle of some work. */
export async function shiftClock({ give, restart, settle, random, short, say }: Subject): Promise<Measured[]> {
  let longest = 0;
  for (const hours of short ? SHIFTS_HOURS.short : SHIFTS_HOURS.full) {
    await give(SOURCES_PER_SHIFT);
    await setTimeout(random.next() * 1_000);
    await restart({ CLOCK_SHIFT_MS: String(hours * HOUR_MS) });
    await give(SOURCES_PER_SHIFT);
    const ms = await settle();
    longest = Math.max(longest, ms);
    say(`clock at ${hours} h: everything searchable after ${Math.round(ms / 1_000)} s`);
  }
  const measured = `${Math.round(longest / 1_000)} s max`;
  return [row("no job is stuck for 60 s after a clock change", measured, longest < STUCK_AFTER_MS)];
}
