import { sql } from "drizzle-orm";
import type { TenantScope } from "../db/tenant.ts";

/** The company's scope, and how many rows of the product's tables its snapshots have read. */
export function countRowsRead(scope: TenantScope): { counted: TenantScope; rowsRead: () => number } {
  let total = 0;
  const snapshot: TenantScope["snapshot"] = (work, from) =>
    scope.snapshot(async (tx) => {
      const result = await work(tx);
      const [row] = await tx.execute<{ rows: number }>(
        sql`select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_xact_user_tables`,
      );
      total += row?.rows ?? 0;
      return result;
    }, from);
  return { counted: { ...scope, snapshot }, rowsRead: () => total };
}
