import { and, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { ADAPTERS, type Adapter } from "../db/column-values.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { dayOf } from "../durations.ts";
import { cachedSums, type LogSum } from "./cached-sums.ts";
import { countQuestions, type QuestionCount, type QuestionTally } from "./count-questions.ts";
import { firstDay, isAnswered, isError, isUnanswered, matchesUsage } from "./log-conditions.ts";
import type { UsageFilter } from "./log-filter.ts";
import { type Figures, NONE, type RequestGroup, sumRequests } from "./sum-requests.ts";

const TOP_QUESTIONS = 8;
/** Hours are summed for the last days only, because a chart of more days shows days. */
export const DAYS_BY_HOUR = 3;

/** Requests of one sender: an API key. Without a key: the playground or the command line. */
interface SenderFigures extends Figures {
  id: string | null;
  origin: string;
  /** Sorted by name. */
  adapters: Adapter[];
}

/** What the query log says about a period. */
export interface LogFigures {
  all: Figures;
  /** By day in UTC, as `2026-11-21`. */
  days: Map<string, Figures>;
  /** The part of `days` that came through the API. */
  apiDays: Map<string, Figures>;
  /** By hour of the last `DAYS_BY_HOUR` days in UTC, as `2026-11-21T13`. */
  hours: Map<string, Figures>;
  senders: SenderFigures[];
  /** The number of requests by day, by the id of their key. */
  keyDays: Map<string, Map<string, number>>;
  topQuestions: QuestionCount[];
  unansweredQuestions: QuestionCount[];
}

interface LoggedGroup extends RequestGroup {
  /** In UTC, as `2026-11-21T13`. */
  hour: string;
  origin: string;
  key: string | null;
  via: string | null;
}

const sumsOf = cachedSums<LogFigures, SliceRows>("logFigures");

/** The figures of the requests in the log. The figures of a large log may lack the latest requests; see `cachedSums`. */
export function logFigures(scope: TenantScope, filter: UsageFilter): Promise<LogFigures> {
  const { days, sender } = filter;
  return sumsOf(scope, { key: JSON.stringify([sender]), days, begin: () => beginSum(scope, filter) });
}

function beginSum(scope: TenantScope, filter: UsageFilter): LogSum<LogFigures, SliceRows> {
  const [all, days, apiDays] = [sumRequests(), sumRequests(), sumRequests()];
  const [hours, bySender] = [sumRequests(), sumRequests()];
  const senders = new Map<string, { id: string | null; origin: string; adapters: Set<string> }>();
  const keyDays = new Map<string, Map<string, number>>();
  const questions = countQuestions();
  const firstDayByHour = dayOf(firstDay(DAYS_BY_HOUR));

  function addGroup(group: LoggedGroup): void {
    const { hour, origin, key, via } = group;
    const day = hour.slice(0, "2026-11-21".length);
    const sender = JSON.stringify([origin, key]);
    all.add("", group);
    days.add(day, group);
    if (day >= firstDayByHour) hours.add(hour, group);
    // without times, which nobody needs
    if (origin === "api") apiDays.add(day, { ...group, ms: null });
    bySender.add(sender, group);
    const { adapters } = getOrSet(senders, sender, () => ({ id: key, origin, adapters: new Set<string>() }));
    if (via !== null) adapters.add(via);
    if (key === null) return;
    const ofKey = getOrSet(keyDays, key, () => new Map<string, number>());
    ofKey.set(day, (ofKey.get(day) ?? 0) + group.requests);
  }

  return {
    read: (tx, slice) => readSlice(tx, and(matchesUsage(scope.companyId, filter), slice)),
    add({ groups, asked }) {
      for (const group of groups) addGroup(group);
      questions.add(asked);
    },
    value() {
      const figures = bySender.figures();
      return {
        all: all.figures().get("") ?? NONE,
        days: days.figures(),
        apiDays: apiDays.figures(),
        hours: hours.figures(),
        senders: [...senders].map(([sender, { id, origin, adapters }]) => ({
          ...(figures.get(sender) ?? NONE),
          ...{ id, origin, adapters: ADAPTERS.filter((name) => adapters.has(name)).toSorted() },
        })),
        keyDays: new Map([...keyDays].map(([key, counts]) => [key, new Map(counts)])),
        topQuestions: questions.top("times", TOP_QUESTIONS),
        unansweredQuestions: questions.top("unanswered", TOP_QUESTIONS),
      };
    },
    bytes: () => [all, days, apiDays, hours, bySender, questions].reduce((sum, each) => sum + each.bytes(), 0),
  };
}

interface SliceRows extends Record<string, unknown> {
  groups: LoggedGroup[];
  asked: QuestionTally[];
}

/** The requests of a slice as groups of equal ones, and its questions by their text without case and outer spaces. */
async function readSlice(tx: Transaction, condition: SQL | undefined): Promise<SliceRows> {
  const { at, origin, apiKeyId, via, durationMs, queryText } = queryLog;
  const [slice] = await tx.execute<SliceRows>(sql`
      with slice as materialized (
        select date_trunc('hour', ${at}, 'UTC') as hour, ${origin} as origin, ${apiKeyId} as key, ${via} as via,
          ${queryText} as question, ${isError} as failed, ${isAnswered} as answered, ${isUnanswered} as unanswered,
          case when ${isError} then null else ${durationMs} end as ms
        from ${queryLog} where ${condition}
      ), groups as (
        select to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as hour, origin, key, via, failed, answered, unanswered,
          ms, count(*)::int as requests
        from slice group by slice.hour, 2, 3, 4, 5, 6, 7, 8
      ), asked as (
        select lower(btrim(question)) as key, min(question) as question, count(*)::int as times,
          (count(*) filter (where unanswered))::int as unanswered
        from slice where question is not null group by 1
      )
      select coalesce((select json_agg(groups) from groups), '[]') as groups,
        coalesce((select json_agg(asked) from asked), '[]') as asked`);
  return slice ?? { groups: [], asked: [] };
}

function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
