import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type Connection, connect } from "../db/client.ts";
import { startOwner } from "../db/embedded/ensure-owner.ts";
import { migrate } from "../db/migrate.ts";

/**
 * Runs once before the integration tests: a migrated, empty database for them, embedded in a temporary folder, or a new one
 * on the server of `TEST_DATABASE_URL`. The tests see it as `DATA_DIR` or `DATABASE_URL`, as the product does.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-test-"));
  const server = process.env.TEST_DATABASE_URL;
  const { target, remove } = server ? await newDatabase(server) : await embeddedDatabase(dataDir);
  // set, though empty, so that a developer's .env cannot point the tests at real data
  process.env.DATA_DIR = dataDir;
  process.env.DATABASE_URL = "url" in target ? target.url : "";
  process.env.LOG_LEVEL ??= "silent";
  await migrated(connect(target, 1));
  return async () => {
    await remove();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

async function migrated(connection: Connection): Promise<void> {
  try {
    await migrate(connection);
  } finally {
    await connection.close();
  }
}

async function embeddedDatabase(dataDir: string) {
  const owner = await startOwner(dataDir);
  return { target: { dataDir }, remove: owner.stop };
}

async function newDatabase(server: string) {
  const name = `ragstone_test_${randomBytes(6).toString("hex")}`;
  const admin = postgres(server, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const remove = async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  };
  return { target: { url: url.href }, remove };
}
