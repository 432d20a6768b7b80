import { setTimeout } from "node:timers/promises";
import type { Measured } from "./machine.ts";
import type { Random } from "./random.ts";
import type { Subject } from "./subject.ts";

const KILLS = { short: 2, full: 20 };
const PAUSES = { short: 0, full: 2 };
/** Longer than a worker's lease. */
const PAUSE_MS = 26_000;
const SOURCES_PER_FAULT = 3;
/** Maximum wait before a fault, so that it hits the worker before it claims a job or in the middle of its work. */
const WAIT_MS_MAX = 2_500;

type Fault = "web" | "worker" | "database" | "pause";

/**
 * Kills the web server, the worker and the database with SIGKILL, and pauses the worker for longer than its lease, in
 * random order and at random moments, while sources are added.
 * @param crash kills and restarts the PostgreSQL server; without it, the embedded database process is killed
 */
export async function injectFaults({ product, give, restart, random, short, say }: Subject, crash?: () => void) {
  const [kills, pauses] = short ? [KILLS.short, PAUSES.short] : [KILLS.full, PAUSES.full];
  const faults: Fault[] = [];
  for (const fault of ["web", "worker", "database"] as const) faults.push(...Array<Fault>(kills).fill(fault));
  faults.push(...Array<Fault>(pauses).fill("pause"));
  const inject: Record<Fault, () => Promise<void> | void> = {
    web: () => restart(),
    worker: () => product.signal("worker", "SIGKILL"),
    database: crash ?? (() => product.signal("database", "SIGKILL")),
    async pause() {
      await product.signal("worker", "SIGSTOP");
      await setTimeout(PAUSE_MS);
      await product.signal("worker", "SIGCONT");
    },
  };
  for (const [index, fault] of shuffled(faults, random).entries()) {
    await give(SOURCES_PER_FAULT);
    await setTimeout(random.next() * WAIT_MS_MAX);
    await inject[fault]();
    if (index % 10 === 9) say(`${index + 1} of ${faults.length} faults`);
  }
  say(`${kills} kills of each process, ${pauses} pauses of the worker`);
  return [] satisfies Measured[];
}

function shuffled<Item>(items: Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
