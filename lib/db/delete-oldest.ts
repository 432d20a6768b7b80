import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "./client.ts";
import type { CompanyId } from "./tenant.ts";

/** Small enough that a concurrent request waits only milliseconds. */
const ROWS = 1_000;

interface Expired {
  /** Has an index on the company and the time. */
  table: PgTable & { companyId: AnyPgColumn };
  at: AnyPgColumn;
  before: SQL;
}

/**
 * Deletes the oldest of a company's expired rows.
 * @returns whether there may be more
 */
export async function deleteOldest(
  tx: Transaction,
  companyId: CompanyId,
  { table, at, before }: Expired,
): Promise<boolean> {
  const expired = sql`${table.companyId} = ${companyId} and ${at} < ${before}`;
  // up to a time: without statistics, the planner would compare each row of the company with each row of a list
  const last = sql`select ${at} from ${table} where ${expired} order by ${at} offset ${ROWS - 1} limit 1`;
  const rows = await tx.execute(
    sql`delete from ${table} where ${expired} and ${at} <= coalesce((${last}), 'infinity')`,
  );
  return rows.count >= ROWS;
}
