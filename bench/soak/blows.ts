import { setTimeout } from "node:timers/promises";
import type { Measured } from "./machine.ts";
import type { Random } from "./random.ts";
import type { Subject } from "./subject.ts";

const KILLS = { short: 2, full: 20 };
const PAUSES = { short: 0, full: 2 };
/** Longer than the lease of a worker. */
const PAUSE_MS = 26_000;
const SOURCES_PER_BLOW = 3;
/** From before the worker has claimed anything to well into its work. */
const LONGEST_WAIT_MS = 2_500;

type Blow = "web" | "worker" | "database" | "pause";

/**
 * Kills the web server, the worker and the database with SIGKILL, and stops a worker for longer than its lease, in any
 * order and at random moments, while sources come.
 * @param crash ends a PostgreSQL server and starts it again; the embedded database is a process of the product's own
 */
export async function strike({ product, give, restart, random, short, say }: Subject, crash?: () => void) {
  const [kills, pauses] = short ? [KILLS.short, PAUSES.short] : [KILLS.full, PAUSES.full];
  const blows: Blow[] = [];
  for (const blow of ["web", "worker", "database"] as const) blows.push(...Array<Blow>(kills).fill(blow));
  blows.push(...Array<Blow>(pauses).fill("pause"));
  const inTurn: Record<Blow, () => Promise<void> | void> = {
    web: () => restart(),
    worker: () => product.signal("worker", "SIGKILL"),
    database: crash ?? (() => product.signal("database", "SIGKILL")),
    async pause() {
      await product.signal("worker", "SIGSTOP");
      await setTimeout(PAUSE_MS);
      await product.signal("worker", "SIGCONT");
    },
  };
  for (const [index, blow] of shuffled(blows, random).entries()) {
    await give(SOURCES_PER_BLOW);
    await setTimeout(random.next() * LONGEST_WAIT_MS);
    await inTurn[blow]();
    if (index % 10 === 9) say(`${index + 1} of ${blows.length} blows`);
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
