import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "../db/client.ts";
import { requireRow } from "../db/require-row.ts";
import {
  answerReports,
  apiKeys,
  auditLog,
  chunks,
  companies,
  embeddings,
  heldUploads,
  jobs,
  knowledgeCallsDaily,
  lexicalBlocks,
  lexicalPostings,
  memberships,
  queryLog,
  questionGaps,
  retrievalTrials,
  returnedChunks,
  sources,
  sourceVersions,
  subscriptionHistory,
  subscriptions,
  suggestions,
  testQuestions,
  testRuns,
  usageDaily,
  userTokens,
  versionChunks,
} from "../db/schema/index.ts";
import { type CompanyId, simpleQuery } from "../db/tenant.ts";

export type CompanyRow = typeof companies.$inferSelect;

export type TenantTable = PgTable & { companyId: AnyPgColumn };

/** Tables that let systems, invited people and workers act for the company: deleted first. */
export const ACCESS_TABLES: readonly TenantTable[] = [apiKeys, userTokens, jobs];

/** Tables without which no admin could open the dashboard and delete again: deleted last, with the company's row. */
export const DASHBOARD_TABLES: readonly TenantTable[] = [memberships, subscriptions];

/** The tables of its content and logs, each before the tables that its rows refer to. */
export const CONTENT_TABLES: readonly TenantTable[] = [
  returnedChunks,
  versionChunks,
  embeddings,
  lexicalPostings,
  lexicalBlocks,
  chunks,
  sourceVersions,
  sources,
  heldUploads,
  queryLog,
  usageDaily,
  knowledgeCallsDaily,
  answerReports,
  questionGaps,
  suggestions,
  testQuestions,
  testRuns,
  retrievalTrials,
  subscriptionHistory,
  auditLog,
];

/** The tables to whose rows the rows of other tables refer. */
export const REFERENCED_TABLES: readonly TenantTable[] = [chunks, sourceVersions, sources];

export async function selectCompany(tx: Transaction, companyId: CompanyId): Promise<CompanyRow | undefined> {
  const [row] = await tx.select().from(companies).where(eq(companies.id, companyId));
  return row;
}

export async function updateCompany(
  tx: Transaction,
  companyId: CompanyId,
  values: Partial<typeof companies.$inferInsert>,
): Promise<CompanyRow> {
  return requireRow(await tx.update(companies).set(values).where(eq(companies.id, companyId)).returning());
}

/** Object store keys of all uploaded files of the company. */
export async function selectStorageKeys(tx: Transaction, companyId: CompanyId): Promise<string[]> {
  const rows = await tx
    .select({ key: sourceVersions.storageKey })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), isNotNull(sourceVersions.storageKey)))
    .union(tx.select({ key: heldUploads.storageKey }).from(heldUploads).where(eq(heldUploads.companyId, companyId)));
  return rows.flatMap(({ key }) => key ?? []);
}

/** @returns number of deleted rows; fewer than `limit`, if given, when none are left */
export async function deleteRows(
  tx: Transaction,
  table: TenantTable,
  companyId: CompanyId,
  limit: number | null = null,
): Promise<number> {
  const own = sql`${table.companyId} = ${companyId}`;
  // with other scans, the planner compares each row of a company without statistics with every ctid; JIT is off, because
  // the cost of disabled scans would trigger it
  await simpleQuery(
    tx,
    "set local enable_indexscan = off; set local enable_bitmapscan = off; set local enable_seqscan = off; set local jit = off",
  );
  const rows = await tx.execute(
    sql`delete from ${table} where ${own} and ctid in (select ctid from ${table} where ${own} limit ${limit})`,
  );
  return rows.count;
}
