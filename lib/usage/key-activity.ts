import { and, isNotNull, sql } from "drizzle-orm";
import { type Actor, requireAdmin } from "../audit/record.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { firstDay, matchesUsage } from "./conditions.ts";
import { flushQueryLog } from "./record.ts";

/** The requests of each key by day in UTC, oldest first, today last. Keys without requests are left out. */
export async function keyActivity(scope: TenantScope, actor: Actor, days: number): Promise<Map<string, number[]>> {
  requireAdmin(scope, actor);
  await flushQueryLog();
  const first = firstDay(days);
  const day = sql<number>`floor(extract(epoch from ${queryLog.at} - ${first.toISOString()}::timestamptz) * 1000 / ${DAY_MS})::int`;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ key: queryLog.apiKeyId, day: day.as("day"), requests: sql<number>`count(*)::int` })
      .from(queryLog)
      .where(and(matchesUsage(scope.companyId, { days, source: null }), isNotNull(queryLog.apiKeyId)))
      .groupBy(queryLog.apiKeyId, sql.raw("2")),
  );
  const found = Map.groupBy(rows, ({ key }) => key ?? "");
  return new Map(
    [...found].map(([key, counts]) => [
      key,
      Array.from({ length: days }, (_, index) => counts.find((each) => each.day === index)?.requests ?? 0),
    ]),
  );
}
