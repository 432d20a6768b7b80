import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Connection, Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";

/**
 * Starts a second transaction before the first one commits, and commits when the second one waits for a row that the
 * first one has locked. Not for the embedded database, which runs one transaction after another.
 * @returns the scope for the first one, and the outcome of the second one
 */
export function startDuring(db: Connection["db"], scope: TenantScope, second: () => Promise<unknown>) {
  const outcome = Promise.withResolvers<unknown>();
  const thenWait =
    <T>(work: (tx: Transaction) => Promise<T>) =>
    async (tx: Transaction) => {
      const result = await work(tx);
      outcome.resolve(second().catch((error: unknown) => error));
      await expect.poll(() => waitingForRows(db)).toBe(1);
      return result;
    };
  const first: TenantScope = {
    ...scope,
    transaction: (work) => scope.transaction(thenWait(work)),
    changeContent: (work) => scope.changeContent(thenWait(work)),
  };
  return { first, outcome: outcome.promise };
}

/** How many statements wait to lock a row that another transaction has locked. */
async function waitingForRows(db: Connection["db"]): Promise<number> {
  const rows = await db.execute(
    sql`select from pg_stat_activity where query like '%for %update%' and wait_event_type = 'Lock'
      and datname = current_database()`,
  );
  return rows.length;
}
