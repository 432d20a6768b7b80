import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS, dayOf } from "../durations.ts";
import { firstDay } from "./log-conditions.ts";
import { logFigures } from "./log-figures.ts";
import { flushQueryLog } from "./record.ts";

/** The requests of each key by day in UTC, oldest first, today last. Keys without requests are left out. */
export async function keyActivity(scope: TenantScope, actor: Actor, days: number): Promise<Map<string, number[]>> {
  requireAdmin(scope, actor);
  await flushQueryLog();
  const first = firstDay(days).getTime();
  const { keyDays } = await logFigures(scope, { days, sender: null });
  return new Map(
    [...keyDays].map(([key, counts]) => [
      key,
      Array.from({ length: days }, (_, index) => counts.get(dayOf(new Date(first + index * DAY_MS))) ?? 0),
    ]),
  );
}
