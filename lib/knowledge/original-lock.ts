import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { textArray } from "../db/sql.ts";

/** Prevents deleting an original while another version starts to use it. Released when the transaction ends. */
export async function lockOriginals(tx: Transaction, storageKeys: string[]): Promise<void> {
  if (storageKeys.length === 0) return;
  // always in the same order, so that two transactions cannot deadlock
  const sorted = textArray([...storageKeys].sort());
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${sorted}) as key`);
}
