/** Runs jobs of the database, as a child of the server or on its own, next to servers with the same `DATABASE_URL`. */
import { setBackgroundMode } from "../../lib/background-work.ts";
import { closeConnection } from "../../lib/db/client.ts";
import { pendingMigrations } from "../../lib/db/migrate.ts";
import { env } from "../../lib/env.ts";
import { searchInDatabase } from "../../lib/retrieval/memory/index-memory.ts";
import { runWorker } from "../../lib/worker/worker.ts";
import { StartError } from "../start/start-error.mjs";
import { checkServer } from "./check-database.ts";
import { explain } from "./explain-error.ts";
import { ignoreLostOutput } from "./lost-output.ts";
import { WORKER_ID } from "./supervise.ts";

const alone = !process.connected;

async function work(): Promise<void> {
  setBackgroundMode();
  searchInDatabase();
  if (alone) await checkAlone();
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
  process.on("disconnect", end);
  if (alone) console.log("The worker is ready.");
  await runWorker({ signal: stop.signal, id: process.env[WORKER_ID] });
  await closeConnection();
}

async function checkAlone(): Promise<void> {
  const { databaseUrl } = env();
  if (!databaseUrl) {
    throw new StartError(
      "the embedded database's worker runs with `npm start`. To run a separate worker, set DATABASE_URL.",
    );
  }
  await checkServer(databaseUrl);
  if ((await pendingMigrations()).length > 0) {
    throw new StartError("the database needs a migration. Start the server (`npm start`) to migrate it.");
  }
}

ignoreLostOutput();
try {
  await work();
  // threads of the models would keep the process alive
  process.exit(0);
} catch (error) {
  console.error(`The worker cannot run: ${explain(error)}`);
  process.exit(1);
}
