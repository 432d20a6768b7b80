import type { queryLog } from "../db/schema/index.ts";
import { dayOf } from "../durations.ts";

/** A request as stored in the query log; never contains the context fields. */
export type QueryRecord = Omit<typeof queryLog.$inferInsert, "companyId" | "at" | "queryHash"> & { at: Date };

/** Totals of a company's requests on one day. */
interface DayCounts {
  requests: number;
  errors: number;
  answers: number;
  unanswered: number;
}

/** Counts by day in UTC, as `2026-11-21`. */
export type CountsByDay = Map<string, DayCounts>;

/** Adds requests to the counts of their days. Only API requests count; the playground is free. */
export function addCounts(counts: CountsByDay, records: readonly QueryRecord[]): CountsByDay {
  for (const { origin, at, statusCode, total, answered } of records) {
    if (origin !== "api") continue;
    const day = dayOf(at);
    const before = counts.get(day) ?? { requests: 0, errors: 0, answers: 0, unanswered: 0 };
    // as in the log's statistics: no results, or the answer was a refusal
    const isUnanswered = statusCode < 400 && (total === 0 || answered === false);
    counts.set(day, {
      requests: before.requests + 1,
      errors: before.errors + Number(statusCode >= 400),
      answers: before.answers + Number(answered === true),
      unanswered: before.unanswered + Number(isUnanswered),
    });
  }
  return counts;
}
