import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../lib/testing/free-port.ts";
import { waitFor } from "./wait.ts";

const RESTARTED_WITHIN_MS = 60_000;

/** Why a part on a server is skipped. */
export const NO_POSTGRES = "PostgreSQL with pgvector is not installed";

/** A PostgreSQL server that only this run uses. Requests go on while its methods run. */
export interface PostgresServer {
  url: string;
  /** Ends all its processes without a checkpoint. */
  stop(): Promise<void>;
  /** Kills its main process with SIGKILL. The others end when they notice. */
  kill(): Promise<void>;
  /** Restarts the server on the same port, and stops it first if it runs. */
  restart(): Promise<void>;
}

/**
 * Runs a PostgreSQL server during `work`.
 * @returns null when PostgreSQL is not installed
 */
export async function withPostgres<Result>(
  say: (line: string) => void,
  work: (server: PostgresServer) => Promise<Result>,
): Promise<Result | null> {
  if (!(await script("check"))) {
    say(`${NO_POSTGRES}: testing only the embedded database`);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), "ragstone-postgres-"));
  const port = await freePort();
  const server: PostgresServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => void (await script("stop", folder)),
    kill: async () => void process.kill(mainProcess(folder), "SIGKILL"),
    async restart() {
      // refused until the last process of a killed server has ended
      await waitFor("PostgreSQL to restart", () => script("restart", folder), { limitMs: RESTARTED_WITHIN_MS });
    },
  };
  try {
    if (!(await script("start", folder, String(port)))) throw new Error("PostgreSQL did not start");
    await keepCommits(server.url);
    return await work(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Like `withPostgres`, for work that needs the server. @throws {Error} when PostgreSQL is not installed */
export async function onPostgres<Result>(work: (server: PostgresServer) => Promise<Result>): Promise<Result> {
  const result = await withPostgres(
    () => undefined,
    async (server) => ({ of: await work(server) }),
  );
  if (!result) throw new Error(`${NO_POSTGRES}: scripts/test/native-postgres.sh install`);
  return result.of;
}

/** @returns whether the script succeeded */
async function script(...args: string[]): Promise<boolean> {
  const child = spawn("scripts/test/native-postgres.sh", args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** The first line of its lock file. */
function mainProcess(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10);
}

/** Makes commits durable, because the script configures a server whose commits may be lost in a crash. */
async function keepCommits(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  await sql`alter database postgres set synchronous_commit = on`;
  await sql.end();
}
