import { and, eq, gte, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryLog } from "../db/schema/index.ts";
import { containsPattern } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { type LogFilter, type Outcome, PLAYGROUND, type UsageFilter } from "./log-filter.ts";

/** At least eight digits: people read out that many, and fewer may be a word or number of a question. */
const ID_PREFIX = /^[0-9a-f]{8,32}$/;
const ID_DIGITS = 32;

export const isError = sql`${queryLog.statusCode} >= 400`;
export const isAnswered = sql`coalesce(${queryLog.answered}, false)`;
/** There were no results, or the answer was a refusal. */
export const isUnanswered = sql`(${queryLog.statusCode} < 400 and (${queryLog.total} = 0 or ${queryLog.answered} = false))`;

const OUTCOME_CONDITIONS: Record<Outcome, SQL> = {
  errors: isError,
  unanswered: isUnanswered,
  degraded: sql`cardinality(${queryLog.degraded}) > 0`,
};

/** Midnight in UTC of the first of the last `days` days, including today. */
export function firstDay(days: number, now = Date.now()): Date {
  return new Date(Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);
}

/** Questions only: the log also has refused calls that manage knowledge, which are counted elsewhere, or ask nothing. */
export function matchesUsage(companyId: CompanyId, filter: UsageFilter): SQL | undefined {
  return and(isLogged(companyId, filter), ne(queryLog.origin, "manage"));
}

function isLogged(companyId: CompanyId, { days, sender }: UsageFilter): SQL | undefined {
  return and(eq(queryLog.companyId, companyId), gte(queryLog.at, firstDay(days)), matchesSender(sender));
}

export function matchesLog(companyId: CompanyId, filter: LogFilter): SQL | undefined {
  const search = filter.search.trim();
  const withId = hasRequestId(companyId, search);
  if (isRequestId(search)) return withId;
  const withWords = and(
    isLogged(companyId, filter),
    filter.outcome ? OUTCOME_CONDITIONS[filter.outcome] : undefined,
    ...search.split(/\s+/).flatMap((word) => (word ? sql`${queryLog.queryText} ilike ${containsPattern(word)}` : [])),
  );
  // a number or a date of a question looks like the beginning of an id
  return and(eq(queryLog.companyId, companyId), or(withId, withWords));
}

/** Whether a text is a whole id of a request, which finds that request alone. */
export function isRequestId(text: string): boolean {
  const digits = digitsOf(text.trim());
  return digits.length === ID_DIGITS && ID_PREFIX.test(digits);
}

/** Requests whose id begins with a text; undefined when the text does not look like an id. */
export function hasRequestId(companyId: CompanyId, text: string): SQL | undefined {
  const ids = idRange(text);
  return ids && and(eq(queryLog.companyId, companyId), gte(queryLog.id, ids.first), lte(queryLog.id, ids.last));
}

/** The range of ids that begin with a text, if the text looks like an id, so that the primary key finds them. */
function idRange(text: string): { first: string; last: string } | undefined {
  const digits = digitsOf(text);
  if (!ID_PREFIX.test(digits)) return undefined;
  return { first: asUuid(digits.padEnd(ID_DIGITS, "0")), last: asUuid(digits.padEnd(ID_DIGITS, "f")) };
}

/** The digits of a text that looks like an id. */
function digitsOf(text: string): string {
  return text.replaceAll("-", "").toLowerCase();
}

function asUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function matchesSender(sender: string | null): SQL | undefined {
  if (sender === null) return undefined;
  if (sender === PLAYGROUND) return eq(queryLog.origin, "playground");
  return z.uuid().safeParse(sender).success ? eq(queryLog.apiKeyId, sender) : sql`false`;
}
