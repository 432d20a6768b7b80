import { closeConnection } from "../../lib/db/client.ts";
import { type EmbeddedDatabase, ensureOwner } from "../../lib/db/embedded/ensure-owner.ts";
import { appliedMigrations, migrate, pendingMigrations } from "../../lib/db/migrate.ts";
import { ping } from "../../lib/db/system/database.ts";
import { env } from "../../lib/env.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import { checkServer } from "../serve/check-database.ts";

const MAX_ATTEMPTS = 3;

let embedded: EmbeddedDatabase | undefined;

/**
 * Connects to the PostgreSQL server or the embedded database. If no process runs the embedded database, starts one for
 * the duration of the command.
 */
export async function openDatabase(): Promise<void> {
  const { databaseUrl, dataDir } = env();
  for (let attempt = 1; ; attempt++) {
    if (!databaseUrl) embedded = await ensureOwner(dataDir);
    try {
      return await ping();
    } catch (error) {
      if (databaseUrl) await checkServer(databaseUrl);
      if (databaseUrl || attempt === MAX_ATTEMPTS) throw error;
      // its owner, another command, was just ending
      await closeConnection();
      await embedded?.stop();
    }
  }
}

/** Migrates a new database. Refuses one of an older release, which only a start of the server migrates. */
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
