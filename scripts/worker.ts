/** Does the jobs of the database: a child of the server, or alone beside servers that share a `DATABASE_URL`. */
import { setTimeout } from "node:timers/promises";
import { closeConnection } from "../lib/db/client.ts";
import { pendingMigrations } from "../lib/db/migrate.ts";
import { env } from "../lib/env.ts";
import { scheduleMaintenance } from "../lib/jobs/maintain.ts";
import { runWorker } from "../lib/jobs/worker.ts";
import { sweepSpool } from "../lib/knowledge/storage/spool.ts";
import { log } from "../lib/log.ts";
import { checkServer } from "./check-database.ts";
import { explain, StartError } from "./explain.ts";

const MAINTENANCE_EVERY_MS = 10 * 60_000;
const alone = !process.connected;

async function work(): Promise<void> {
  if (alone) await checkAlone();
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  process.on("disconnect", end);
  if (alone) console.log("The worker is ready.");
  await Promise.all([runWorker({ signal: stop.signal }), maintainRegularly(stop.signal)]);
  await closeConnection();
}

async function checkAlone(): Promise<void> {
  const { databaseUrl } = env();
  if (!databaseUrl) {
    throw new StartError("the worker of the embedded database runs with `npm start`; alone it needs DATABASE_URL.");
  }
  await checkServer(databaseUrl);
  if ((await pendingMigrations()).length > 0) {
    throw new StartError("the database is not up to date; start the server (`npm start`) first, which migrates it.");
  }
}

async function maintainRegularly(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sweepSpool().catch((error: unknown) => log().warn({ err: error }, "worker: could not sweep uploads"));
    await scheduleMaintenance().catch((error: unknown) =>
      log().error({ err: error }, "worker: could not schedule maintenance"),
    );
    // rejects when the worker ends, which the loop then sees
    await setTimeout(MAINTENANCE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

try {
  await work();
  // models keep threads that would hold the process
  process.exit(0);
} catch (error) {
  console.error(`The worker cannot run: ${explain(error)}`);
  process.exit(1);
}
