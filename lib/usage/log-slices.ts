import { and, eq, gt, gte, lte, type SQL, sql } from "drizzle-orm";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { firstDay } from "./conditions.ts";

/** On the embedded database, a statement over more rows would delay the questions behind it. */
const ROWS_PER_SLICE = 2_000;
/** The slices of a smaller log are read quickly. */
export const COSTLY_FROM_SLICES = 5;

/**
 * Divides the log of the last days into slices of about `ROWS_PER_SLICE` rows, oldest first, so that other statements of
 * the embedded database get their turn between them.
 * @param days absent for the whole log
 * @returns the condition of each slice on `query_log`
 */
export async function* logSlices(scope: TenantScope, days?: number): AsyncGenerator<SQL | undefined> {
  const { companyId, at } = queryLog;
  let later = days === undefined ? undefined : gte(at, firstDay(days));
  for (;;) {
    const rest = and(eq(companyId, scope.companyId), later);
    const [last] = await scope.transaction((tx) => {
      const ending = tx
        .select({ at })
        .from(queryLog)
        .where(rest)
        .orderBy(at)
        .offset(ROWS_PER_SLICE - 1)
        .limit(1)
        .as("ending");
      // with microseconds, which a JavaScript date does not have
      return tx.select({ at: sql<string>`${ending.at}::text` }).from(ending);
    });
    if (!last) return yield rest;
    const end = sql`${last.at}::timestamptz`;
    yield and(rest, lte(at, end));
    later = gt(at, end);
  }
}
