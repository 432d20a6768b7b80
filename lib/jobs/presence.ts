import { system } from "../db/system.ts";
import { messageOf } from "../errors.ts";
import { log } from "../log.ts";

const KEY = "worker_seen_at";
const SAY_SO_EVERY_MS = 5_000;
/** A worker that has said nothing for this long is taken for gone. */
const GONE_AFTER_MS = 15_000;

/** Says every few seconds that a worker is there. @returns a function that takes it back, lest others wait for it */
export function announceWorker(): () => Promise<void> {
  const announce = () =>
    system.setMeta(KEY, Date.now()).catch((error: unknown) => {
      // an outage, which the worker's own loop waits out
      log().debug({ reason: messageOf(error) }, "worker: could not announce itself");
    });
  let last = announce();
  const timer = setInterval(() => {
    last = announce();
  }, SAY_SO_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await last;
    await system.deleteMeta(KEY);
  };
}

/** Whether someone does the jobs; if not, the command line does them itself. */
export async function workerIsThere(): Promise<boolean> {
  const seenAt = await system.getMeta(KEY);
  return typeof seenAt === "number" && Date.now() - seenAt < GONE_AFTER_MS;
}
