import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "./client.ts";
import { queryLog } from "./schema/index.ts";
import type { CompanyId } from "./tenant.ts";

/** The requests with these ids that are still in the log, and whether the log holds their question. */
export async function loggedRequests(
  tx: Transaction,
  companyId: CompanyId,
  ids: string[],
): Promise<Map<string, { hasQuestion: boolean }>> {
  if (ids.length === 0) return new Map();
  const hasQuestion = sql<boolean>`${queryLog.queryText} is not null`;
  const rows = await tx
    .select({ id: queryLog.id, hasQuestion })
    .from(queryLog)
    .where(and(eq(queryLog.companyId, companyId), inArray(queryLog.id, ids)));
  return new Map(rows.map(({ id, hasQuestion }) => [id, { hasQuestion }]));
}
