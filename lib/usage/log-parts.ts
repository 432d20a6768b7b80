import { and, lt, type SQL } from "drizzle-orm";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { firstDay, hasRequestId, isRequestId, matchesLog } from "./conditions.ts";
import { keepCostly } from "./keep-costly.ts";
import type { LogFilter } from "./log-filter.ts";
import { COSTLY_FROM_SLICES, logSlices } from "./log-slices.ts";

/** A part of the log. */
interface LogPart {
  /** Which requests of the part match. */
  condition: SQL | undefined;
  matches: number;
}

const keptCount = keepCostly<number>("logCounts");

/**
 * Divides the matching requests into parts, newest first, so that no statement searches the texts of a large log. Without
 * a text there is one part, whose number for a large log may be older, by 20 times as long as counting took.
 */
export async function matchingParts(scope: TenantScope, filter: LogFilter): Promise<LogPart[]> {
  const condition = matchesLog(scope.companyId, filter);
  const count = (part: SQL | undefined) => scope.transaction((tx) => tx.$count(queryLog, part));
  const { days, source, outcome, search } = filter;
  const inSlices = async (): Promise<LogPart[]> => {
    const parts: LogPart[] = [];
    for await (const slice of logSlices(scope, days)) {
      const part = and(condition, slice);
      parts.unshift({ condition: part, matches: await count(part) });
    }
    return parts;
  };
  if (search.trim() === "") {
    const matches = await keptCount(JSON.stringify([scope.companyId, days, source, outcome]), async () => {
      const parts = await inSlices();
      return { value: totalOf(parts), isCostly: parts.length >= COSTLY_FROM_SLICES };
    });
    return [{ condition, matches }];
  }
  if (isRequestId(search)) return [{ condition, matches: await count(condition) }];
  // a request is found by its id however old it is
  const withId = hasRequestId(scope.companyId, search.trim());
  const older = withId && and(withId, lt(queryLog.at, firstDay(days)));
  return [...(await inSlices()), ...(older ? [{ condition: older, matches: await count(older) }] : [])];
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
    // the number of the only part may be kept from before newer requests
    const limit = (parts.length === 1 ? end : Math.min(matches, end)) - offset;
    before += matches;
    return limit > 0 ? [{ condition, offset, limit }] : [];
  });
}
