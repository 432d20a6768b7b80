import { eq, type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Transaction } from "../db/client.ts";
import { deleteOldest } from "../db/delete-oldest.ts";
import { chunks, companies, returnedChunks } from "../db/schema/index.ts";
import { companyLiteral, uuidsLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import type { QueryRecord } from "./day-counts.ts";

/** Chunks whose text was kept within a day, so that popular chunks are not written again with every request. */
const recentlyKept = new LRUCache<string, true>({ max: 50_000, ttl: DAY_MS });

/**
 * The statement that keeps the text of the chunks that these requests returned, for their receipts. A chunk's text never
 * changes under its id, so one copy serves all requests. It returns the ids of the chunks, for `rememberKept`.
 * @returns none if all texts were kept lately
 */
export function keepReturned(companyId: CompanyId, records: QueryRecord[]): SQL[] {
  const returned = new Set(records.flatMap(({ results }) => results?.map(({ id }) => id) ?? []));
  const ids = [...returned].filter((id) => !recentlyKept.has(keyOf(companyId, id)));
  if (ids.length === 0) return [];
  // always in the same order, so that two processes cannot deadlock
  return [
    sql`
      insert into ${returnedChunks} (company_id, id, source_id, headings, content)
      select company_id, id, source_id, headings, content from ${chunks}
      where company_id = ${companyLiteral(companyId)} and id = any(${uuidsLiteral(ids)})
      order by id
      on conflict (company_id, id) do update set returned_at = excluded.returned_at
      returning id`,
  ];
}

/** Remembers which texts are kept, after their transaction has committed. */
export function rememberKept(companyId: CompanyId, ids: string[]): void {
  for (const id of ids) recentlyKept.set(keyOf(companyId, id), true);
}

/** Deletes the oldest of the texts that no logged request refers to any more. @returns whether there may be more */
export async function deleteExpiredTexts(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  const days = tx.select({ days: companies.queryRetentionDays }).from(companies).where(eq(companies.id, companyId));
  // a day more, because the last return is recorded once a day
  const before = sql`now() - make_interval(days => (${days}) + 1)`;
  return deleteOldest(tx, companyId, { table: returnedChunks, at: returnedChunks.returnedAt, before });
}

function keyOf(companyId: CompanyId, id: string): string {
  return `${companyId} ${id}`;
}
