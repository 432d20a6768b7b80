import postgres, { type Sql } from "postgres";
import { embeddedConnectionOptions } from "./socket.ts";

const PASS_INTERVAL_MS = 60_000;
/** Bytes of write-ahead log after which a checkpoint is due. */
const CHECKPOINT_AFTER = 64 * 1024 * 1024;

/** Start settings of the engine: it serves one client at a time, and its files are in the page cache. */
export const ENGINE_SETTINGS = {
  work_mem: "32MB",
  // an analysis keeps 300 rows in memory for each unit of this target, and the engine never returns memory
  default_statistics_target: "30",
  // the plan of a named statement would stay the one of the few rows that it was first run on
  plan_cache_mode: "force_custom_plan",
  random_page_cost: "1.1",
  wal_level: "minimal",
  max_wal_senders: "0",
  min_wal_size: "32MB",
  max_wal_size: "128MB",
};

/**
 * Runs every minute, as an ordinary client, the maintenance that background processes do on a PostgreSQL server. PGlite
 * has no background processes: without this the write-ahead log would grow without limit and dead rows would stay.
 * @returns a function that stops it
 */
export function startHousekeeping(dataDir: string): () => void {
  let pass: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pass = pass
      .then(() => runMaintenance(dataDir))
      .catch((error: Error) => console.error(`embedded database: housekeeping: ${error.message}`));
  }, PASS_INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * Runs one pass: vacuums and analyses the tables that changed, by autovacuum's thresholds, and writes a checkpoint.
 * HNSW indexes keep their dead entries: cleaning an index of 10,000 rows would block every client for a minute and a
 * half.
 */
export async function runMaintenance(dataDir: string): Promise<void> {
  const sql = postgres({ ...embeddedConnectionOptions(dataDir), max: 1 });
  try {
    for (const { name, dead, hnsw } of await tablesDueForVacuum(sql)) {
      const vacuum = `vacuum (analyze, index_cleanup ${hnsw ? "off" : "auto"})`;
      await sql.unsafe(`${dead ? vacuum : "analyze"} ${name}`);
    }
    const [log] = await sql<{ due: boolean }[]>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${CHECKPOINT_AFTER} as due from pg_control_checkpoint()`;
    if (log?.due) await sql`checkpoint`;
  } finally {
    await sql.end();
  }
}

async function tablesDueForVacuum(sql: Sql): Promise<{ name: string; dead: boolean; hnsw: boolean }[]> {
  return sql`
    with tables as (
      select relid, format('%I.%I', schemaname, relname) as name,
        n_dead_tup > 50 + 0.2 * n_live_tup as dead, n_mod_since_analyze > 50 + 0.1 * n_live_tup as changed
      from pg_stat_user_tables)
    select name, dead, exists (
        select from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
        where indrelid = relid and amname = 'hnsw') as hnsw
    from tables where dead or changed`;
}
