import { sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { textArray } from "../db/sql.ts";

/** Serialises who begins to share originals with who deletes the last ones; held until the transaction ends. */
export async function lockOriginals(tx: Transaction, storageKeys: string[]): Promise<void> {
  if (storageKeys.length === 0) return;
  // in one order, so that two transactions cannot wait for each other
  const sorted = textArray([...storageKeys].sort());
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${sorted}) as key`);
}
