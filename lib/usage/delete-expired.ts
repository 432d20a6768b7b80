import { and, eq, lt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { companies, queryLog } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

/** Deletes the logged requests that are older than the company keeps them. */
export async function deleteExpiredRequests(tx: Transaction, companyId: CompanyId): Promise<void> {
  const days = tx.select({ days: companies.queryRetentionDays }).from(companies).where(eq(companies.id, companyId));
  const expired = lt(queryLog.at, sql`now() - make_interval(days => (${days}))`);
  await tx.delete(queryLog).where(and(eq(queryLog.companyId, companyId), expired));
}
