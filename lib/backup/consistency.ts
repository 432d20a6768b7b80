import { sql } from "drizzle-orm";
import { connection, type Executor } from "../db/client.ts";
import type { Table } from "./tables.ts";

/** Tables whose rows are independent of others: a change while they are read may be in the backup or not. */
const INDEPENDENT_TABLES = new Set(["api_keys", "audit_log", "jobs", "meta", "query_log", "usage_daily"]);

/** Runs all statements on one snapshot of the database. The embedded database serves no other client meanwhile. */
export function withSnapshot<Result>(work: (db: Executor) => Promise<Result>): Promise<Result> {
  return connection().db.transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** The current position in the database's transaction history, for `changedSince`. */
export async function currentMark(): Promise<string> {
  const [row] = await connection().db.execute<{ mark: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as mark`,
  );
  if (!row) throw new Error("the database has no snapshot");
  return row.mark;
}

/** Whether any table that must be consistent with others has changed since `mark`, when it had the rows in `counts`. */
export async function changedSince(mark: string, tables: Table[], counts: Map<string, number>): Promise<boolean> {
  for (const { name, quoted } of tables.filter((table) => !INDEPENDENT_TABLES.has(table.name))) {
    // an insert or update leaves a row with a later transaction, a delete leaves one row less
    const [row] = await connection().db.execute<{ rows: number; later: number }>(sql`
      select count(*)::int as rows, (count(*) filter (where xmin::text::bigint >= ${mark}::bigint))::int as later
      from ${sql.raw(quoted)}`);
    if (row?.later !== 0 || row.rows !== counts.get(name)) return true;
  }
  return false;
}
