import { sql } from "drizzle-orm";
import { connection } from "../client.ts";

/** The tables that are joined within a company, and the columns that join them. */
const JOINED = {
  sources: ["company_id", "id"],
  source_versions: ["company_id", "id", "source_id"],
  chunks: ["company_id", "id", "source_id"],
  version_chunks: ["company_id", "version_id", "chunk_id"],
};
/** Below this size of a company, the worst plan is fast enough. */
const ROWS_MIN = 256;
const GROWTH = 4;

/**
 * Whether the planner should count the rows of a company again. PostgreSQL takes a company that it has not counted for one
 * of a single row, joins its tables by comparing every row with every other, and counts again only after a tenth of all
 * companies' rows has changed.
 * @param before the number of rows before a change
 * @param after the number of rows after it
 */
export function hasOutgrownStatistics(before: number, after: number): boolean {
  return stepOf(after) > stepOf(before);
}

function stepOf(rows: number): number {
  return rows < ROWS_MIN ? 0 : 1 + Math.floor(Math.log(rows / ROWS_MIN) / Math.log(GROWTH));
}

/** Counts the rows of each company in a sample, for the planner. The embedded database keeps no statistics. */
export async function refreshStatistics(): Promise<void> {
  const { db, embedded } = connection();
  if (embedded) return;
  for (const [table, columns] of Object.entries(JOINED)) {
    await db.execute(sql.raw(`analyze ragstone.${table} (${columns.join(", ")})`));
  }
}
