import { closeConnection } from "../../lib/db/client.ts";
import { type EmbeddedDatabase, ensureOwner } from "../../lib/db/embedded/ensure-owner.ts";
import { appliedMigrations, migrate, pendingMigrations } from "../../lib/db/migrate.ts";
import { ping } from "../../lib/db/system/meta.ts";
import { env } from "../../lib/env.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import { checkServer } from "../check-database.ts";

const TRIES = 3;

let embedded: EmbeddedDatabase | undefined;

/**
 * Reaches the server, or the embedded database, whose process is started for as long as the command lasts when nobody
 * runs it.
 */
export async function openDatabase(): Promise<void> {
  const { databaseUrl, dataDir } = env();
  for (let tried = 1; ; tried++) {
    if (!databaseUrl) embedded = await ensureOwner(dataDir);
    try {
      return await ping();
    } catch (error) {
      if (databaseUrl) await checkServer(databaseUrl);
      if (databaseUrl || tried === TRIES) throw error;
      // it was just ending, with the command that had started it
      await closeConnection();
      await embedded?.stop();
    }
  }
}

/** Refuses a database of an older release, which only a start of the server brings up to date; sets up a new one. */
export async function requireCurrentSchema(): Promise<void> {
  if ((await pendingMigrations()).length === 0) return;
  if ((await appliedMigrations()).length > 0) {
    throw new Error("The database needs a migration. Start the server once to migrate it: npm start");
  }
  await migrate();
}

export async function closeDatabase(): Promise<void> {
  await flushQueryLog();
  await closeConnection();
  await embedded?.stop();
  embedded = undefined;
}
