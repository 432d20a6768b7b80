import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { projectRoot } from "../project-root.ts";
import { type Connection, connection, type Executor, type Transaction } from "./client.ts";
import { simpleQuery } from "./tenant.ts";

const MIGRATIONS_FOLDER = join(projectRoot(), "drizzle", "migrations");
/** Any constant: makes servers that start at the same time migrate one after another. */
const MIGRATION_LOCK = 7_246_783;
/** Any other constant: held by a server for the time of its backup and its migration. */
const TURN_LOCK = 7_246_784;

/** The database was migrated by a newer release. */
class DatabaseNewerThanCode extends Error {
  constructor() {
    super("The database was migrated by a newer release of Ragstone. Start that release, or restore an older backup.");
    this.name = "DatabaseNewerThanCode";
  }
}

/** Hashes of the migrations in this release, in order. */
export function knownMigrations(): string[] {
  return readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map(({ hash }) => hash);
}

/**
 * Hashes of the migrations in this release that are not applied yet.
 * @throws {DatabaseNewerThanCode}
 */
export async function pendingMigrations(db: Executor = connection().db): Promise<string[]> {
  const known = knownMigrations();
  const applied = await appliedMigrations(db);
  if (applied.some((hash) => !known.includes(hash))) throw new DatabaseNewerThanCode();
  return known.filter((hash) => !applied.includes(hash));
}

/** Hashes of the applied migrations, in order; empty for a new database. */
export async function appliedMigrations(db: Executor = connection().db): Promise<string[]> {
  const [table] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('ragstone.migrations') is not null as exists`,
  );
  if (!table?.exists) return [];
  const rows = await db.execute<{ hash: string }>(sql`select hash from ragstone.migrations order by applied_at, hash`);
  return rows.map(({ hash }) => hash);
}

/**
 * Brings the schema up to date in one transaction.
 * @returns number of applied migrations
 * @throws {DatabaseNewerThanCode}
 */
export async function migrate(target: Connection = connection()): Promise<number> {
  return target.db.transaction((tx) => migrateWithin(tx));
}

/**
 * Waits until no other server is in its turn, and then runs `work`, such as a backup and a migration after it: a backup
 * that is read while another server migrates may lack rows. The embedded database has one process, so there is no wait.
 */
export async function inMigrationTurn<T>(work: () => Promise<T>): Promise<T> {
  const { db, embedded } = connection();
  if (embedded) return work();
  return db.transaction(async (tx) => {
    // a turn lasts as long as the backup takes
    await tx.execute(sql`
      select set_config(name, '0', true) from pg_settings
      where name in ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`);
    await tx.execute(sql`select pg_advisory_xact_lock(${TURN_LOCK})`);
    return work();
  });
}

/**
 * Migrates within a transaction of the caller.
 * @param only hashes of the migrations to apply; all by default
 */
export async function migrateWithin(tx: Transaction, only?: string[]): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await simpleQuery(
    tx,
    `create schema if not exists ragstone;
     create table if not exists ragstone.migrations (hash text primary key, applied_at timestamptz not null default now())`,
  );
  const pending = (await pendingMigrations(tx)).filter((hash) => !only || only.includes(hash));
  const files = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  for (const { hash, sql: statements } of files.filter((file) => pending.includes(file.hash))) {
    for (const statement of statements) await simpleQuery(tx, statement);
    await tx.execute(sql`insert into ragstone.migrations (hash, applied_at) values (${hash}, clock_timestamp())`);
  }
  return pending.length;
}
