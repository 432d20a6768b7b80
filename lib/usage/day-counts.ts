import type { queryLog } from "../db/schema/index.ts";

/** A request as the query log keeps it: never the context fields. */
export type QueryRecord = Omit<typeof queryLog.$inferInsert, "companyId" | "at" | "queryHash"> & { at: Date };

/** What a company's requests of one day add up to. */
interface DayCounts {
  requests: number;
  errors: number;
  answers: number;
  unanswered: number;
}

/** Counts by day of UTC, as `2026-11-21`. */
export type CountsByDay = Map<string, DayCounts>;

/** Adds requests to the counts of their days. What was not asked by the API counts for nothing: trying things out is free. */
export function addCounts(counts: CountsByDay, records: readonly QueryRecord[]): CountsByDay {
  for (const { origin, at, statusCode, total, answered } of records) {
    if (origin !== "api") continue;
    const day = at.toISOString().slice(0, 10);
    const before = counts.get(day) ?? { requests: 0, errors: 0, answers: 0, unanswered: 0 };
    // as the log's own figures have it: no chunk came up, or those that did held no answer
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
