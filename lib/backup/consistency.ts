import { sql } from "drizzle-orm";
import { connection, type Executor } from "../db/client.ts";
import type { Table } from "./tables.ts";

/** Rows of these stand for themselves: what changes while they are read is in the backup or is not. */
const STANDALONE = new Set(["api_keys", "audit_log", "jobs", "meta", "query_log", "usage_daily"]);

/** All statements see the database as of one moment. The embedded one serves nobody else meanwhile. */
export function inOneMoment<Result>(work: (db: Executor) => Promise<Result>): Promise<Result> {
  return connection().db.transaction(work, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/** A mark in the history of the database, for `changedSince`. */
export async function currentMark(): Promise<string> {
  const [row] = await connection().db.execute<{ mark: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as mark`,
  );
  if (!row) throw new Error("the database has no snapshot");
  return row.mark;
}

/** Whether any table that must fit the others has changed since `mark`, when it had as many rows as `counts` says. */
export async function changedSince(mark: string, tables: Table[], counts: Map<string, number>): Promise<boolean> {
  for (const { name, quoted } of tables.filter((table) => !STANDALONE.has(table.name))) {
    // an insertion or update leaves a row of a later transaction, a deletion one row less
    const [row] = await connection().db.execute<{ rows: number; later: number }>(sql`
      select count(*)::int as rows, (count(*) filter (where xmin::text::bigint >= ${mark}::bigint))::int as later
      from ${sql.raw(quoted)}`);
    if (row?.later !== 0 || row.rows !== counts.get(name)) return true;
  }
  return false;
}
