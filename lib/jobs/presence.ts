import { system } from "../db/system.ts";

const KEY = "worker_seen_at";
/** A worker says that it is there every few seconds; after this long it is taken for gone. */
const GONE_AFTER_MS = 15_000;

/** Called by a running worker now and then. */
export async function announceWorker(): Promise<void> {
  await system.setMeta(KEY, Date.now());
}

/** A worker that ends says so, lest others wait for it. */
export async function withdrawWorker(): Promise<void> {
  await system.deleteMeta(KEY);
}

/** Whether someone does the jobs; if not, the command line does them itself. */
export async function workerIsThere(): Promise<boolean> {
  const seenAt = await system.getMeta(KEY);
  return typeof seenAt === "number" && Date.now() - seenAt < GONE_AFTER_MS;
}
