import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "../db/client.ts";
import { answerReports, companies, queryLog, suggestions } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";
import { deleteExpiredTexts } from "./returned-chunks.ts";

/** Deletes logged requests, with everything that belongs to them, after the company's retention period. */
export async function deleteExpiredRequests(tx: Transaction, companyId: CompanyId): Promise<void> {
  const days = tx.select({ days: companies.queryRetentionDays }).from(companies).where(eq(companies.id, companyId));
  const isExpired = (at: AnyPgColumn): SQL => lt(at, sql`now() - make_interval(days => (${days}))`);
  await tx.delete(queryLog).where(and(eq(queryLog.companyId, companyId), isExpired(queryLog.at)));
  // open reports stay until someone resolves them
  await tx
    .delete(answerReports)
    .where(and(eq(answerReports.companyId, companyId), isExpired(answerReports.resolvedAt)));
  // open suggestions stay until an admin decides
  await tx.delete(suggestions).where(and(eq(suggestions.companyId, companyId), isExpired(suggestions.decidedAt)));
  await deleteExpiredTexts(tx, companyId);
}
