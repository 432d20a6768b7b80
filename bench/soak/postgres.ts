import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../lib/testing/free-port.ts";

/** A PostgreSQL server of the machine's own. */
export interface PostgresServer {
  url: string;
  /** Ends it as a crash would. */
  stop(): void;
  /** Starts it again, on the same port; one that runs is ended first. */
  restart(): void;
}

/**
 * Runs a PostgreSQL server for as long as `work` takes.
 * @returns null where the machine has none
 */
export async function withPostgres<Result>(
  say: (line: string) => void,
  work: (server: PostgresServer) => Promise<Result>,
): Promise<Result | null> {
  const script = (...args: string[]) =>
    spawnSync("scripts/test/native-postgres.sh", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
  if (!script("check")) {
    say("no PostgreSQL with pgvector here: only the embedded database was tried");
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

/** The script's server is made for tests, which need no commit to outlive a crash. */
async function keepCommits(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`alter database postgres set synchronous_commit = on`;
  await sql.end();
}
