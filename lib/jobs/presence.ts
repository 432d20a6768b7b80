import { system } from "../db/system.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";

const KEY = "worker_seen_at";
const SAY_SO_EVERY_MS = 5_000;
/** A worker that has said nothing for this long is taken for gone. */
const GONE_AFTER_MS = 15_000;

/** Says every few seconds that a worker is there. @returns a function that takes it back, lest others wait for it */
export function announceWorker(): () => Promise<void> {
  const announce = () => despiteOutage(system.setMeta(KEY, Date.now()));
  let last = announce();
  const timer = setInterval(() => {
    last = announce();
  }, SAY_SO_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await last;
    await despiteOutage(system.deleteMeta(KEY));
  };
}

/** The worker's own loop waits an outage out, and an announcement that stays grows old by itself. */
async function despiteOutage(said: Promise<void>): Promise<void> {
  await said.catch((error: unknown) => log().debug({ reason: messageOf(error) }, "worker: could not announce itself"));
}

/** Whether someone does the jobs; if not, the command line does them itself. */
export async function workerIsThere(): Promise<boolean> {
  const seenAt = await system.getMeta(KEY);
  return typeof seenAt === "number" && Date.now() - seenAt < GONE_AFTER_MS;
}
