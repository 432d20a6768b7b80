import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "../db/client.ts";
import { deleteOldest } from "../db/delete-oldest.ts";
import { answerReports, companies, queryLog, suggestions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { repeatStep } from "../jobs/repeat-step.ts";
import type { Turn } from "../jobs/turn.ts";
import { deleteExpiredTexts } from "./returned-chunks.ts";

/**
 * Deletes logged requests, with everything that belongs to them, after the company's retention period.
 * @returns false when the turn ended first
 */
export async function deleteExpiredRequests(scope: TenantScope, turn: Turn): Promise<boolean> {
  const { companyId } = scope;
  await scope.transaction((tx) => deleteHandled(tx, companyId));
  const requests = { table: queryLog, at: queryLog.at };
  const areDeleted = await repeatStep(scope, turn, (tx) =>
    deleteOldest(tx, companyId, { ...requests, before: retentionStart(tx, companyId) }),
  );
  return areDeleted && repeatStep(scope, turn, (tx) => deleteExpiredTexts(tx, companyId));
}

/** Deletes reports and suggestions. Members write them, so they are few. */
async function deleteHandled(tx: Transaction, companyId: CompanyId): Promise<void> {
  const isExpired = (at: AnyPgColumn): SQL => lt(at, retentionStart(tx, companyId));
  // open reports stay until someone resolves them
  await tx
    .delete(answerReports)
    .where(and(eq(answerReports.companyId, companyId), isExpired(answerReports.resolvedAt)));
  // open suggestions stay until an admin decides
  await tx.delete(suggestions).where(and(eq(suggestions.companyId, companyId), isExpired(suggestions.decidedAt)));
}

function retentionStart(tx: Transaction, companyId: CompanyId): SQL {
  const days = tx.select({ days: companies.queryRetentionDays }).from(companies).where(eq(companies.id, companyId));
  return sql`now() - make_interval(days => (${days}))`;
}
