import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../lib/testing/free-port.ts";

/**
 * Runs a PostgreSQL server for as long as `work` takes.
 * @returns null where the machine has none
 */
export async function withPostgres<Result>(
  say: (line: string) => void,
  work: (databaseUrl: string, restart: () => void) => Promise<Result>,
): Promise<Result | null> {
  const script = (...args: string[]) =>
    spawnSync("scripts/native-postgres.sh", args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
  if (!script("check")) {
    say("no PostgreSQL with pgvector here: only the embedded database was tried");
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), "ragstone-postgres-"));
  const port = await freePort();
  try {
    script("start", folder, String(port));
    return await work(`postgres://postgres@127.0.0.1:${port}/postgres`, () => void script("restart", folder));
  } finally {
    script("stop", folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
