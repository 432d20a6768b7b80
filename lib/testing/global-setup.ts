import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Connection, connect } from "../db/client.ts";
import { migrate } from "../db/migrate.ts";
import { functionVolatility } from "./distribution/functions.ts";
import { freshDatabase } from "./fresh-database.ts";

/**
 * Runs once before the integration tests: creates a migrated, empty database. The tests find it by `DATA_DIR` or
 * `DATABASE_URL`, as the product does.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-test-"));
  const { target, remove } = await freshDatabase(dataDir);
  // set even if empty, so that a developer's .env cannot point the tests at real data
  process.env.DATA_DIR = dataDir;
  process.env.DATABASE_URL = "url" in target ? target.url : "";
  process.env.LOG_LEVEL ||= "silent";
  project.provide("volatility", await migrateAndClose(connect(target, 1)));
  return async () => {
    await remove();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function migrateAndClose(connection: Connection) {
  try {
    await migrate(connection);
    return await functionVolatility(connection);
  } finally {
    await connection.close();
  }
}
