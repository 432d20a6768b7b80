import { sql } from "drizzle-orm";
import { connection } from "../client.ts";
import { replica } from "../replica.ts";
import { requireRow } from "../require-row.ts";
import { simpleQuery } from "../tenant.ts";

/** Rejects when the database is unavailable. */
export async function ping(): Promise<void> {
  await connection().db.execute(sql`select 1`);
}

/** Whether the database is embedded, not a PostgreSQL server. */
export function isEmbedded(): boolean {
  return connection().embedded;
}

/** The versions of PostgreSQL and of pgvector, installed or available; null when pgvector is missing. */
export async function databaseVersions() {
  return requireRow(
    await connection().db.execute<{ postgres: string; pgvector: string | null }>(sql`
    select current_setting('server_version') as postgres, coalesce(
      (select extversion from pg_extension where extname = 'vector'),
      (select default_version from pg_available_extensions where name = 'vector')) as pgvector`),
  );
}

/** Whether the replica is one, and the bytes of log that it has yet to replay; null without `DATABASE_REPLICA_URL`. */
export async function replicaLag() {
  const standby = replica();
  if (!standby) return null;
  const [now] = await connection().db.execute<{ written: string }>(sql`select pg_current_wal_insert_lsn() as written`);
  return requireRow(
    await standby.db.execute<{ isStandby: boolean; bytes: number }>(sql`
    select pg_is_in_recovery() as "isStandby",
      greatest(0, pg_wal_lsn_diff(${now?.written}, pg_last_wal_replay_lsn()))::float8 as bytes`),
  );
}

/** The tables with a company, and whether row-level security is enabled on each. */
export async function companyTables() {
  return connection().db.execute<{ name: string; guarded: boolean }>(sql`
    select c.relname as name, c.relrowsecurity as guarded
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
}

/** Counts the companies that the application's role sees without a tenant scope. There must be none. */
export async function companiesSeenWithoutScope(): Promise<number> {
  return connection().db.transaction(async (tx) => {
    await simpleQuery(tx, "set local role ragstone_app");
    const counted = sql`select count(*)::int as rows from ragstone.companies`;
    return requireRow(await tx.execute<{ rows: number }>(counted)).rows;
  });
}

/** The size of each company's search index, for the estimate of the memory that it takes. */
export async function indexSizes() {
  return connection().db.execute<{ live: number; blocks: number; dimensions: number }>(sql`
    select sum(live_count)::int as live, count(*)::int as blocks, coalesce(max(dimensions), 0)::int as dimensions
    from ragstone.lexical_blocks join ragstone.companies on companies.id = company_id
    left join ragstone.embedding_models on embedding_models.id = embedding_model_id
    group by company_id`);
}
