import type { ExtractTablesWithRelations } from "drizzle-orm";
import type { PgTransaction } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "../env.ts";
import { singleton } from "../singleton.ts";
import { embeddedConnectionOptions, withNamedStatements } from "./embedded/index.ts";
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
  const sql = embedded
    ? withNamedStatements(postgres({ ...embeddedConnectionOptions(options.dataDir), ...common, prepare: true }))
    : postgres(options.url, {
        ...common,
        prepare: false,
        fetch_types: false,
        onnotice: () => undefined,
        idle_timeout: 60,
        connect_timeout: CONNECT_TIMEOUT_SECONDS,
      });
  return {
    db: drizzle(sql, { schema }),
    sql,
    embedded,
    close: () => sql.end({ timeout: 5 }),
  };
}

const CONNECTION = singleton("connection", () => {
  const { databaseUrl, dataDir } = env();
  return connect(databaseUrl ? { url: databaseUrl } : { dataDir });
});

/** The one connection pool of the process: `DATABASE_URL`, else the embedded database of `DATA_DIR`. */
export function connection(): Connection {
  return CONNECTION.get();
}

/** Sets the connection that tests and the command line provide. */
export function setConnection(given: Connection): void {
  CONNECTION.set(given);
}

/** Closes the pool of `connection`. */
export async function closeConnection(): Promise<void> {
  const open = CONNECTION.peek();
  CONNECTION.set();
  await open?.close();
}
