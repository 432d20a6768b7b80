import { and, lt, type SQL } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { cachedSums, type LogSum } from "./cached-sums.ts";
import { firstDay, hasRequestId, isRequestId, matchesLog } from "./log-conditions.ts";
import type { LogFilter } from "./log-filter.ts";
import { logSlices } from "./log-slices.ts";

/** A part of the log. */
interface LogPart {
  /** Which requests of the part match. */
  condition: SQL | undefined;
  matches: number;
}

const cachedCount = cachedSums<number, number>("logCounts");

/**
 * Divides the matching requests into parts, newest first, so that no statement searches the texts of a large log. Without
 * a search text there is one part; its count may lack the latest requests of a large log; see `cachedSums`.
 */
export async function matchingParts(scope: TenantScope, filter: LogFilter): Promise<LogPart[]> {
  const condition = matchesLog(scope.companyId, filter);
  const countIn = (tx: Transaction, slice: SQL | undefined) => tx.$count(queryLog, and(condition, slice));
  const countAll = (part: SQL | undefined) => scope.transaction((tx) => tx.$count(queryLog, part));
  const { days, sender, outcome, search } = filter;
  if (search.trim() === "") {
    const begin = () => sumOf(countIn);
    return [{ condition, matches: await cachedCount(scope, { key: JSON.stringify([sender, outcome]), days, begin }) }];
  }
  if (isRequestId(search)) return [{ condition, matches: await countAll(condition) }];
  // a request is found by its id however old it is
  const withId = hasRequestId(scope.companyId, search.trim());
  const older = withId && and(withId, lt(queryLog.at, firstDay(days)));
  const parts: LogPart[] = older ? [{ condition: older, matches: await countAll(older) }] : [];
  for await (const slice of logSlices(scope, { days }, countIn)) {
    parts.unshift({ condition: and(condition, slice.condition), matches: slice.rows });
  }
  return parts;
}

function sumOf(read: LogSum<number, number>["read"]): LogSum<number, number> {
  let matches = 0;
  return {
    read,
    add(found) {
      matches += found;
    },
    value: () => matches,
    bytes: () => 0,
  };
}

export function totalOf(parts: LogPart[]): number {
  return parts.reduce((sum, { matches }) => sum + matches, 0);
}

/** The parts of a page that have rows, each with the place and number of these rows. */
export function partsOfPage(parts: LogPart[], page: { limit: number; offset: number }) {
  let before = 0;
  return parts.flatMap(({ condition, matches }) => {
    const offset = Math.max(0, page.offset - before);
    const end = page.offset + page.limit - before;
    // the count of a single part may be cached, and miss newer requests
    const limit = (parts.length === 1 ? end : Math.min(matches, end)) - offset;
    before += matches;
    return limit > 0 ? [{ condition, offset, limit }] : [];
  });
}
