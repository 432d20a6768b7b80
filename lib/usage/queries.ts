import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog, usageDaily } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";
import { dayOf } from "../durations.ts";

/**
 * Number of requests that the API served on the days (UTC) from `start` to before `end`. Refused requests do not count.
 */
export async function sumServed(
  tx: Transaction,
  { companyId, start, end }: { companyId: CompanyId; start: Date; end: Date },
): Promise<number> {
  const [row] = await tx
    .select({ served: sql<number>`coalesce(sum(${usageDaily.requests} - ${usageDaily.errors}), 0)`.mapWith(Number) })
    .from(usageDaily)
    .where(and(eq(usageDaily.companyId, companyId), gte(usageDaily.day, dayOf(start)), lt(usageDaily.day, dayOf(end))));
  return row?.served ?? 0;
}

interface KeyCallsOptions {
  companyId: CompanyId;
  apiKeyId: string;
  errorsOnly: boolean;
  limit: number;
}

/** Newest first. */
export async function selectKeyCalls(tx: Transaction, options: KeyCallsOptions) {
  return tx
    .select({
      id: queryLog.id,
      at: queryLog.at,
      statusCode: queryLog.statusCode,
      error: queryLog.error,
      queryText: queryLog.queryText,
      total: queryLog.total,
      durationMs: queryLog.durationMs,
    })
    .from(queryLog)
    .where(
      and(
        eq(queryLog.companyId, options.companyId),
        eq(queryLog.apiKeyId, options.apiKeyId),
        options.errorsOnly ? gte(queryLog.statusCode, 400) : undefined,
      ),
    )
    .orderBy(desc(queryLog.at), desc(queryLog.id))
    .limit(options.limit);
}
