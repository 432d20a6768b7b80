import { and, eq, gte, min } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { Adapter } from "../db/column-values.ts";
import { apiKeys, companies, usageDaily } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS, dayOf, HOUR_MS } from "../durations.ts";
import { notFound } from "../errors.ts";
import type { QuestionCount } from "./count-questions.ts";
import { firstDay } from "./log-conditions.ts";
import { DAYS_BY_HOUR, type LogFigures, logFigures } from "./log-figures.ts";
import type { UsageFilter } from "./log-filter.ts";
import { flushQueryLog } from "./record.ts";
import { type Figures, NONE } from "./sum-requests.ts";

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
  senders: (Figures & {
    id: string | null;
    origin: string;
    name: string | null;
    last4: string | null;
    adapters: Adapter[];
  })[];
  topQuestions: QuestionCount[];
  unansweredQuestions: QuestionCount[];
}

/**
 * Usage in the last days, of all requests or of one sender. Days that are no longer completely in the query log are
 * taken from the daily counts, unless one sender is chosen. Times are those of the requests in the log.
 */
export async function usageOf(scope: TenantScope, actor: Actor, filter: UsageFilter): Promise<Usage> {
  requireMembership(scope, actor);
  await flushQueryLog();
  const log = await logFigures(scope, filter);
  return scope.snapshot(async (tx) => {
    const names = await keyNames(tx, scope);
    const keyAddedAt = names.get(filter.sender ?? "")?.createdAt;
    const counted = filter.sender === null ? await dailyCounts(tx, scope, filter.days) : [];
    const days = everyDay(filter.days, withCounts(log, counted));
    const { topQuestions, unansweredQuestions } = log;
    return {
      ...sumsOf(days),
      p50: log.all.p50,
      p95: log.all.p95,
      days,
      since: await firstCoveredDay(tx, scope, { sender: filter.sender, keyAddedAt }),
      hours: firstHours(log.hours, days),
      senders: log.senders
        .map((sender) => ({
          ...sender,
          name: names.get(sender.id ?? "")?.name ?? null,
          last4: names.get(sender.id ?? "")?.last4 ?? null,
        }))
        .sort((a, b) => b.requests - a.requests),
      topQuestions,
      unansweredQuestions,
    };
  });
}

/** The hours since the first day with requests; null when that day is longer ago than a chart by day needs. */
function firstHours(found: Map<string, Figures>, days: DayFigures[]): HourFigures[] | null {
  const first = days.find(({ requests }) => requests > 0);
  const start = first && Date.parse(first.day);
  if (start === undefined || start < firstDay(DAYS_BY_HOUR).getTime()) return null;
  return Array.from({ length: Math.floor((Date.now() - start) / HOUR_MS) + 1 }, (_, index): HourFigures => {
    const hour = new Date(start + index * HOUR_MS).toISOString().slice(0, "2026-11-21T13".length);
    return { ...NONE, ...found.get(hour), hour };
  });
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

/** Adds the API requests that were counted but are not in the log: they were deleted, or are not read yet. */
function withCounts({ days, apiDays }: LogFigures, counted: [string, Sums][]): Map<string, Figures> {
  const complete = new Map(days);
  for (const [day, sums] of counted) {
    const [figures, logged] = [days.get(day) ?? NONE, apiDays.get(day) ?? NONE];
    if (sums.requests <= logged.requests) continue;
    const withMissing = (name: keyof Sums) => figures[name] + Math.max(0, sums[name] - logged[name]);
    complete.set(day, {
      ...figures,
      requests: withMissing("requests"),
      errors: withMissing("errors"),
      answered: withMissing("answered"),
      unanswered: withMissing("unanswered"),
    });
  }
  return complete;
}

function sumsOf(days: Figures[]): Sums {
  const sum = (name: keyof Sums) => days.reduce((total, figures) => total + figures[name], 0);
  return { requests: sum("requests"), errors: sum("errors"), answered: sum("answered"), unanswered: sum("unanswered") };
}

/** The first day that the figures can cover: the log of a sender begins with the days that are kept. */
async function firstCoveredDay(
  tx: Transaction,
  { companyId }: TenantScope,
  { sender, keyAddedAt }: { sender: string | null; keyAddedAt: Date | undefined },
): Promise<string> {
  const { id, createdAt, queryRetentionDays } = companies;
  const [company] = await tx
    .select({ createdAt, queryRetentionDays, firstRequest: min(usageDaily.day) })
    .from(companies)
    .leftJoin(usageDaily, eq(usageDaily.companyId, id))
    .where(eq(id, companyId))
    .groupBy(id);
  if (!company) throw notFound("Company");
  if (sender === null) return company.firstRequest ?? dayOf(company.createdAt);
  const addedAt = keyAddedAt ?? company.createdAt;
  return dayOf(new Date(Math.max(addedAt.getTime(), firstDay(company.queryRetentionDays).getTime())));
}

async function keyNames(tx: Transaction, { companyId }: TenantScope) {
  const { id, name, last4, createdAt } = apiKeys;
  const rows = await tx.select({ id, name, last4, createdAt }).from(apiKeys).where(eq(apiKeys.companyId, companyId));
  return new Map(rows.map((row) => [row.id, row]));
}

function everyDay(days: number, found: Map<string, Figures>): DayFigures[] {
  const first = firstDay(days).getTime();
  return Array.from({ length: days }, (_, index) => {
    const day = dayOf(new Date(first + index * DAY_MS));
    return { day, ...(found.get(day) ?? NONE) };
  });
}
