import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { projectRoot } from "../env.ts";
import { type Connection, connection } from "./client.ts";
import { simpleQuery } from "./tenant.ts";

const MIGRATIONS_FOLDER = join(projectRoot(), "drizzle", "migrations");
/** Any constant: several servers that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_246_783;

/** The database was written by a newer release. */
export class DatabaseNewerThanCode extends Error {
  constructor() {
    super(
      "The database was migrated by a newer release of Ragstone. Start that release, or restore a backup from before.",
    );
    this.name = "DatabaseNewerThanCode";
  }
}

/** Names and hashes of the migrations that this release holds and the database lacks. */
export async function pendingMigrations({ db }: Connection = connection()): Promise<string[]> {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  const applied = await appliedMigrations(db);
  const hashes = new Set(known.map(({ hash }) => hash));
  if (applied.some((hash) => !hashes.has(hash))) throw new DatabaseNewerThanCode();
  return known.map(({ hash }) => hash).filter((hash) => !applied.includes(hash));
}

/**
 * Brings the schema up to date in one transaction: all or nothing.
 * @returns how many migrations were applied
 * @throws {DatabaseNewerThanCode}
 */
export async function migrate(target: Connection = connection()): Promise<number> {
  return target.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await simpleQuery(
      tx,
      `create schema if not exists ragstone;
       create table if not exists ragstone.migrations (hash text primary key, applied_at timestamptz not null default now())`,
    );
    const pending = await pendingMigrations({
      ...target,
      db: tx as unknown as Connection["db"],
    });
    const files = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
    for (const { hash, sql: statements } of files.filter((file) => pending.includes(file.hash))) {
      for (const statement of statements) await simpleQuery(tx, statement);
      await tx.execute(sql`insert into ragstone.migrations (hash) values (${hash})`);
    }
    return pending.length;
  });
}

/** The hashes of the migrations that the database has, oldest first; none for a new one. */
export async function appliedMigrations(db: Pick<Connection["db"], "execute">): Promise<string[]> {
  const [table] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('ragstone.migrations') is not null as exists`,
  );
  if (!table?.exists) return [];
  const rows = await db.execute<{ hash: string }>(sql`select hash from ragstone.migrations order by applied_at, hash`);
  return rows.map(({ hash }) => hash);
}
