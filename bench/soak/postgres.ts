import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../lib/testing/free-port.ts";

/** A PostgreSQL server that only this run uses. */
interface PostgresServer {
  url: string;
  /** Stops the server as a crash would. */
  stop(): void;
  /** Restarts the server on the same port, and stops it first if it runs. */
  restart(): void;
}

/**
 * Runs a PostgreSQL server during `work`.
 * @returns null when PostgreSQL is not installed
 */
export async function withPostgres<Result>(
  say: (line: string) => void,
  work: (server: PostgresServer) => Promise<Result>,
): Promise<Result | null> {
  const script = (...args: string[]) =>
    spawnSync("scripts/test/native-postgres.sh", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
  if (!script("check")) {
    say("PostgreSQL with pgvector is not installed: testing only the embedded database");
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), "ragstone-postgres-"));
  const port = await freePort();
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => void script("stop", folder),
    restart: () => void script("restart", folder),
  };
  try {
    script("start", folder, String(port));
    await keepCommits(server.url);
    return await work(server);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Like `withPostgres`, for work that needs the server. @throws {Error} when PostgreSQL is not installed */
export async function onPostgres<Result>(work: (server: PostgresServer) => Promise<Result>): Promise<Result> {
  const result = await withPostgres(
    () => undefined,
    async (server) => ({ of: await work(server) }),
  );
  if (!result) throw new Error("PostgreSQL with pgvector is not installed: scripts/test/native-postgres.sh install");
  return result.of;
}

/** Makes commits durable, because the script configures a server whose commits may be lost in a crash. */
async function keepCommits(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`alter database postgres set synchronous_commit = on`;
  await sql.end();
}
