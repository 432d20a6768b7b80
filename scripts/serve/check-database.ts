import type { Sql } from "postgres";
import { connect } from "../../lib/db/client.ts";
import { StartError } from "../start/start-error.mjs";

const OLDEST_POSTGRES = 15;
const OLDEST_PGVECTOR = [0, 8];

/**
 * Checks that a PostgreSQL server is reachable, is version 15 or newer, and has pgvector 0.8 or newer.
 * @throws StartError with a one-line message that never contains the password
 */
export async function checkServer(url: string): Promise<void> {
  const { sql, close } = connect({ url }, 1);
  try {
    await checkVersions(sql);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: ${describeUnreachable(error, new URL(url))}`);
  } finally {
    await close();
  }
}

async function checkVersions(sql: Sql): Promise<void> {
  const [server] = await sql<{ number: number; version: string; pgvector: string | null }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      coalesce((select extversion from pg_extension where extname = 'vector'),
        (select default_version from pg_available_extensions where name = 'vector')) as pgvector`;
  if (!server || server.number < OLDEST_POSTGRES * 10_000) {
    throw new StartError(
      `DATABASE_URL: the server is PostgreSQL ${server?.version}. Version ${OLDEST_POSTGRES} or newer is required.`,
    );
  }
  if (!server.pgvector) {
    throw new StartError(
      "DATABASE_URL: the server does not have the pgvector extension. Install version 0.8 or newer.",
    );
  }
  if (isOlder(server.pgvector)) {
    throw new StartError(
      `DATABASE_URL: the server has pgvector ${server.pgvector}. Version 0.8 or newer is required. Install it, then run \`alter extension vector update\`.`,
    );
  }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_PGVECTOR;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function describeUnreachable(error: unknown, url: URL): string {
  const where = `${url.hostname}:${url.port || 5432}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ECONNREFUSED":
      return `no server responds at ${where}. Is PostgreSQL running there?`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host ${url.hostname} is unknown.`;
    case "CONNECT_TIMEOUT":
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `${where} is unreachable.`;
    case "28P01":
    case "28000":
      return `${where} refuses the user "${decodeURIComponent(url.username)}". Check the name and the password.`;
    case "3D000":
      return `there is no database "${url.pathname.slice(1)}" at ${where}: create it first.`;
    default:
      return `${where}: ${error instanceof Error ? error.message : error}`;
  }
}
