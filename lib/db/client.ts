import { randomUUID } from "node:crypto";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import type { PgTransaction } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "../env.ts";
import { singleton } from "../singleton.ts";
import { embeddedConnectionOptions, withNamedStatements } from "./embedded/index.ts";
import { endWithConnection } from "./end-with-connection.ts";
import * as schema from "./schema/index.ts";

type Schema = typeof schema;
type Database = PostgresJsDatabase<Schema>;
export type Transaction = PgTransaction<PostgresJsQueryResultHKT, Schema, ExtractTablesWithRelations<Schema>>;
/** A database or a transaction, for plain statements. */
export type Executor = Pick<Database, "execute">;

export interface Connection {
  db: Database;
  sql: postgres.Sql;
  embedded: boolean;
  /** The `application_name` of its connections to a server; no other pool has it. */
  name: string;
  /** Opens another pool to the same database. */
  reopen(): Connection;
  close(): Promise<void>;
}

/** For a database across a network; a running one connects sooner. */
const CONNECT_TIMEOUT_SECONDS = 3;
const MAX_RECONNECT_WAIT_SECONDS = 0.5;

/** Opens a pool. On a server, statements are never named, so a connection pooler in transaction mode works. */
export function connect(options: { url: string } | { dataDir: string }, poolSize = 6): Connection {
  const common = {
    max: poolSize,
    // reconnects soon after the database is back: the driver's own wait grows to 20 seconds
    backoff: (attempts: number) => Math.min(0.05 * 2 ** attempts, MAX_RECONNECT_WAIT_SECONDS),
  };
  const embedded = "dataDir" in options;
  const client = embedded
    ? postgres({ ...embeddedConnectionOptions(options.dataDir), ...common, prepare: true })
    : postgres(options.url, {
        ...common,
        prepare: false,
        fetch_types: false,
        onnotice: () => undefined,
        idle_timeout: 60,
        connect_timeout: CONNECT_TIMEOUT_SECONDS,
      });
  const sql = endWithConnection(embedded ? withNamedStatements(client) : client);
  return {
    db: drizzle(sql, { schema }),
    sql,
    embedded,
    name: nameConnections(sql),
    reopen: () => connect(options, poolSize),
    close: () => sql.end({ timeout: 5 }),
  };
}

/** `application_name` has 63 characters, of which the pool's id takes 37. */
const CHOSEN_NAME_MAX = 26;

/** Adds an id of the pool to the name that its connections have on a server, which an operator may have chosen. */
function nameConnections({ options }: postgres.Sql): string {
  const chosen = options.connection.application_name ?? "";
  const name = `${chosen.replace(/[^ -~]/g, "?").slice(0, CHOSEN_NAME_MAX)} ${randomUUID()}`;
  options.connection.application_name = name;
  return name;
}

const CONNECTION = singleton("connection", () => {
  const { databaseUrl, dataDir } = env();
  return connect(databaseUrl ? { url: databaseUrl } : { dataDir });
});

/** The one connection pool of the process: `DATABASE_URL`, else the embedded database of `DATA_DIR`. */
export function connection(): Connection {
  return CONNECTION.get();
}

/** The same, unless it was not opened yet. */
export function openConnection(): Connection | undefined {
  return CONNECTION.peek();
}

/** Sets the connection that tests and the command line provide, or that replaces a dead one. */
export function setConnection(given: Connection): void {
  CONNECTION.set(given);
}

/** Closes the pool of `connection`. */
export async function closeConnection(): Promise<void> {
  const open = CONNECTION.peek();
  CONNECTION.set();
  await open?.close();
}
