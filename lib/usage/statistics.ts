import { and, eq, gte, min, type SQL, sql } from "drizzle-orm";
import { type Actor, requireMembership } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { Adapter } from "../db/column-values.ts";
import { apiKeys, companies, queryLog, usageDaily } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS, dayOf, HOUR_MS } from "../durations.ts";
import { notFound } from "../errors.ts";
import { firstDay, isAnswered, isError, isUnanswered, matchesUsage } from "./conditions.ts";
import type { UsageFilter } from "./log-filter.ts";
import { flushQueryLog } from "./record.ts";

const TOP_QUESTIONS = 8;
/** A chart by day of fewer days shows too little. */
const DAYS_BY_HOUR = 3;

/** Sums over requests. Times are in milliseconds, of successful requests only; null when there are none. */
interface Figures {
  requests: number;
  errors: number;
  answered: number;
  unanswered: number;
  p50: number | null;
  p95: number | null;
}

export type DayFigures = Figures & { day: string };
type HourFigures = Figures & { hour: string };

export interface Usage extends Figures {
  /** Every day, oldest first, as `2026-11-21` in UTC. */
  days: DayFigures[];
  /** The first day that the figures can cover, which may be before `days`. Single requests may be older. */
  since: string;
  /** Every hour since the first day with requests, as `2026-11-21T13` in UTC; null when that day is longer ago. */
  hours: HourFigures[] | null;
  /** Sorted by requests, most first. A null id means requests without a key: the playground and the command line. */
  sources: (Figures & {
    id: string | null;
    origin: string;
    name: string | null;
    last4: string | null;
    adapters: Adapter[];
  })[];
  topQuestions: QuestionCount[];
  unansweredQuestions: QuestionCount[];
}

export interface QuestionCount {
  question: string;
  times: number;
}

/**
 * Usage in the last days, of all requests or of one source. Days that are no longer completely in the query log are
 * taken from the daily counts, unless one source is chosen. Times are those of the requests in the log.
 */
export async function usageOf(scope: TenantScope, actor: Actor, filter: UsageFilter): Promise<Usage> {
  requireMembership(scope, actor);
  await flushQueryLog();
  const condition = matchesUsage(scope.companyId, filter);
  return scope.snapshot(async (tx) => {
    const rows = await figures(tx, condition);
    const names = await keyNames(tx, scope);
    const keyAddedAt = names.get(filter.source ?? "")?.createdAt;
    const { p50, p95 } = rows.find(({ kind }) => kind === "all")?.figures ?? NONE;
    const logged = new Map(rows.flatMap(({ day, figures }): [string, Figures][] => (day ? [[day, figures]] : [])));
    const counted = filter.source === null ? await dailyCounts(tx, scope, filter.days) : [];
    const days = everyDay(filter.days, withCounts(logged, counted));
    return {
      ...sumsOf(days),
      p50,
      p95,
      days,
      since: await firstCoveredDay(tx, scope, { source: filter.source, keyAddedAt }),
      hours: await firstHours(tx, condition, days),
      sources: rows
        .filter(({ kind }) => kind === "source")
        .map(({ figures, key, origin, adapters }) => ({
          ...figures,
          id: key,
          origin: origin ?? "",
          name: names.get(key ?? "")?.name ?? null,
          last4: names.get(key ?? "")?.last4 ?? null,
          adapters,
        }))
        .sort((a, b) => b.requests - a.requests),
      ...(await questions(tx, condition)),
    };
  });
}

/** Values of PostgreSQL's `grouping(day, origin)`: one bit per column that is summed over. */
const KINDS: Record<number, "day" | "source" | "all"> = { 1: "day", 2: "source", 3: "all" };
const NONE: Figures = { requests: 0, errors: 0, answered: 0, unanswered: 0, p50: null, p95: null };

interface FigureRow extends Figures, Record<string, unknown> {
  kind: number;
  day: string | null;
  origin: string | null;
  key: string | null;
  adapters: Adapter[] | null;
}

/** Figures of rows of `outcomes`. */
const SUMS = sql`count(*)::int as requests, count(*) filter (where failed)::int as errors,
  count(*) filter (where answered)::int as answered, count(*) filter (where unanswered)::int as unanswered,
  percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.95) within group (order by ms) as p95`;

/** The requests of the log with their time in UTC, who sent them and how they ended. */
function outcomes(condition: SQL | undefined): SQL {
  return sql`(
    select ${queryLog.at} at time zone 'UTC' as at, (${queryLog.at} at time zone 'UTC')::date as day,
      ${queryLog.origin} as origin, ${queryLog.apiKeyId} as key, ${queryLog.via} as via,
      ${isError} as failed, ${isAnswered} as answered, ${isUnanswered} as unanswered,
      case when ${isError} then null else ${queryLog.durationMs} end as ms
    from ${queryLog} where ${condition})`;
}

async function firstHours(tx: Transaction, condition: SQL | undefined, days: DayFigures[]) {
  const first = days.find(({ requests }) => requests > 0);
  const start = first && Date.parse(first.day);
  if (start === undefined || start < firstDay(DAYS_BY_HOUR).getTime()) return null;
  const rows = await tx.execute<Figures & { hour: string } & Record<string, unknown>>(sql`
    select to_char(at, 'YYYY-MM-DD"T"HH24') as hour, ${SUMS} from ${outcomes(condition)} as requests group by 1`);
  const found = new Map(rows.map(({ hour, ...sums }) => [hour, sums]));
  return Array.from({ length: Math.floor((Date.now() - start) / HOUR_MS) + 1 }, (_, index): HourFigures => {
    const hour = new Date(start + index * HOUR_MS).toISOString().slice(0, "2026-11-21T13".length);
    return { ...NONE, ...found.get(hour), hour };
  });
}

/** Reads the log once for the total, the days and the sources. */
async function figures(tx: Transaction, condition: SQL | undefined) {
  const rows = await tx.execute<FigureRow>(sql`
    select grouping(day, origin) as kind, day::text as day, origin, key,
      ${SUMS},
      json_agg(distinct via) filter (where via is not null) as adapters
    from ${outcomes(condition)} as requests
    group by grouping sets ((), (day), (origin, key))`);
  return rows.map(({ kind, day, origin, key, adapters, ...sums }) => ({
    ...{ kind: KINDS[kind], day, origin, key, adapters: adapters ?? [] },
    figures: sums,
  }));
}

type Sums = Pick<Figures, "requests" | "errors" | "answered" | "unanswered">;

/** Daily counts of API requests, which are kept for good. */
async function dailyCounts(tx: Transaction, { companyId }: TenantScope, days: number): Promise<[string, Sums][]> {
  const { day, requests, errors, answers, unanswered } = usageDaily;
  const rows = await tx
    .select({ day, requests, errors, answered: answers, unanswered })
    .from(usageDaily)
    .where(and(eq(usageDaily.companyId, companyId), gte(day, dayOf(firstDay(days)))));
  return rows.map(({ day, ...sums }) => [day, sums]);
}

/** Replaces the sums of the days of which the log has fewer requests than were counted, whenever they were deleted. */
function withCounts(logged: Map<string, Figures>, counted: [string, Sums][]): Map<string, Figures> {
  const days = new Map(logged);
  for (const [day, sums] of counted) {
    const figures = logged.get(day) ?? NONE;
    if (sums.requests > figures.requests) days.set(day, { ...figures, ...sums });
  }
  return days;
}

function sumsOf(days: Figures[]): Sums {
  const sum = (name: keyof Sums) => days.reduce((total, figures) => total + figures[name], 0);
  return { requests: sum("requests"), errors: sum("errors"), answered: sum("answered"), unanswered: sum("unanswered") };
}

/** The first day that the figures can cover: the log of a source begins with the days that are kept. */
async function firstCoveredDay(
  tx: Transaction,
  { companyId }: TenantScope,
  { source, keyAddedAt }: { source: string | null; keyAddedAt: Date | undefined },
): Promise<string> {
  const { id, createdAt, queryRetentionDays } = companies;
  const [company] = await tx
    .select({ createdAt, queryRetentionDays, firstRequest: min(usageDaily.day) })
    .from(companies)
    .leftJoin(usageDaily, eq(usageDaily.companyId, id))
    .where(eq(id, companyId))
    .groupBy(id);
  if (!company) throw notFound("Company");
  if (source === null) return company.firstRequest ?? dayOf(company.createdAt);
  const addedAt = keyAddedAt ?? company.createdAt;
  return dayOf(new Date(Math.max(addedAt.getTime(), firstDay(company.queryRetentionDays).getTime())));
}

async function keyNames(tx: Transaction, { companyId }: TenantScope) {
  const { id, name, last4, createdAt } = apiKeys;
  const rows = await tx.select({ id, name, last4, createdAt }).from(apiKeys).where(eq(apiKeys.companyId, companyId));
  return new Map(rows.map((row) => [row.id, row]));
}

interface QuestionRow extends Record<string, unknown> {
  question: string;
  times: number;
  unanswered: boolean;
}

/** The most frequent questions, and the most frequent unanswered ones, ignoring case and surrounding spaces. */
async function questions(tx: Transaction, condition: SQL | undefined) {
  const rows = await tx.execute<QuestionRow>(sql`
    with asked as materialized (
      select min(${queryLog.queryText}) as question, count(*)::int as times,
        (count(*) filter (where ${isUnanswered}))::int as missed
      from ${queryLog} where ${condition} and ${queryLog.queryText} is not null
      group by lower(btrim(${queryLog.queryText}))
    )
    (select question, times, false as unanswered from asked order by times desc, question limit ${TOP_QUESTIONS})
    union all
    (select question, missed, true from asked where missed > 0 order by missed desc, question limit ${TOP_QUESTIONS})`);
  const of = (wanted: boolean) =>
    rows.flatMap(({ question, times, unanswered }): QuestionCount[] =>
      unanswered === wanted ? [{ question, times }] : [],
    );
  return { topQuestions: of(false), unansweredQuestions: of(true) };
}

function everyDay(days: number, found: Map<string, Figures>): DayFigures[] {
  const first = firstDay(days).getTime();
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(new Date(first + index * DAY_MS));
    return { day, ...(found.get(day) ?? NONE) };
  });
}
