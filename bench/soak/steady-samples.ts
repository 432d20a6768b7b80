import { sql } from "drizzle-orm";
import { connection } from "../../lib/db/client.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import type { ProcessRole, ProcessSample } from "./process-samples.ts";

interface TableSample {
  name: string;
  live: number;
  dead: number;
  /** Size with indexes. */
  bytes: number;
}

/** Resources of the product at one moment of a run. */
export interface SteadySample {
  /** Milliseconds since the run began. */
  at: number;
  processes: Partial<Record<ProcessRole, ProcessSample>>;
  /** Connections to a PostgreSQL server. For the embedded database, count the sockets of its process. */
  connections: number;
  /** Jobs that are queued or running. */
  jobs: number;
  tables: TableSample[];
}

/** Counts rows, bytes, connections and jobs that are due: a deleted source is purged a day later. */
export async function sampleDatabase(scope: TenantScope): Promise<Omit<SteadySample, "at" | "processes">> {
  const { db } = connection();
  const tables = await db.execute<{ name: string; live: string; dead: string; bytes: string }>(sql`
    select relname as name, n_live_tup as live, n_dead_tup as dead, pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables where schemaname = 'ragstone' order by relname`);
  const [row] = await db.execute<{ connections: number; jobs: number }>(sql`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::int from ragstone.jobs
        where company_id = ${scope.companyId} and state in ('queued', 'running') and run_after <= now()) as jobs`);
  return {
    connections: row?.connections ?? 0,
    jobs: row?.jobs ?? 0,
    tables: tables.map(({ name, live, dead, bytes }) => ({
      name,
      live: Number(live),
      dead: Number(dead),
      bytes: Number(bytes),
    })),
  };
}

/** API requests as the product counted them: rows in the log, and the total of the daily counts. */
export async function countedRequests(scope: TenantScope): Promise<{ logged: number; counted: number }> {
  const [row] = await connection().db.execute<{ logged: number; counted: number }>(sql`
    select (select count(*)::int from ragstone.query_log
        where company_id = ${scope.companyId} and origin = 'api') as logged,
      (select coalesce(sum(requests), 0)::int from ragstone.usage_daily
        where company_id = ${scope.companyId}) as counted`);
  return row ?? { logged: 0, counted: 0 };
}
