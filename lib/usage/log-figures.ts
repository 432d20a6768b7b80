import { and, type SQL, sql } from "drizzle-orm";
import { ADAPTERS, type Adapter } from "../db/column-values.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { isAnswered, isError, isUnanswered, matchesUsage } from "./conditions.ts";
import { type AskedQuestion, countQuestions, type QuestionCount } from "./count-questions.ts";
import { keepCostly } from "./keep-costly.ts";
import type { UsageFilter } from "./log-filter.ts";
import { COSTLY_FROM_SLICES, logSlices } from "./log-slices.ts";
import { type Figures, NONE, type RequestGroup, sumRequests } from "./sum-requests.ts";

const TOP_QUESTIONS = 8;

/** Requests of one source: an API key, or without one the playground or the command line. */
interface SourceFigures extends Figures {
  id: string | null;
  origin: string;
  /** Sorted by name. */
  adapters: Adapter[];
}

/** What the query log says about a period. */
interface LogFigures {
  all: Figures;
  /** By day in UTC, as `2026-11-21`. */
  days: Map<string, Figures>;
  /** By hour in UTC, as `2026-11-21T13`. */
  hours: Map<string, Figures>;
  sources: SourceFigures[];
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

const kept = keepCostly<LogFigures>("logFigures");

/** The figures of the requests in the log. Those of a large log may be older, by 20 times as long as reading them took. */
export function logFigures(scope: TenantScope, filter: UsageFilter): Promise<LogFigures> {
  return kept(JSON.stringify([scope.companyId, filter.days, filter.source]), () => read(scope, filter));
}

async function read(scope: TenantScope, filter: UsageFilter) {
  const [all, days, hours, sources] = [sumRequests(), sumRequests(), sumRequests(), sumRequests()];
  const senders = new Map<string, { id: string | null; origin: string; adapters: Set<string> }>();
  const keyDays = new Map<string, Map<string, number>>();
  const questions = countQuestions();

  function add(group: LoggedGroup): void {
    const { hour, origin, key, via } = group;
    const day = hour.slice(0, "2026-11-21".length);
    const sender = JSON.stringify([origin, key]);
    all.add("", group);
    days.add(day, group);
    hours.add(hour, group);
    sources.add(sender, group);
    const { adapters } = getOrSet(senders, sender, () => ({ id: key, origin, adapters: new Set<string>() }));
    if (via !== null) adapters.add(via);
    if (key === null) return;
    const ofKey = getOrSet(keyDays, key, () => new Map<string, number>());
    ofKey.set(day, (ofKey.get(day) ?? 0) + group.requests);
  }

  let slices = 0;
  for await (const slice of logSlices(scope, filter.days)) {
    const { groups, asked } = await readSlice(scope, and(matchesUsage(scope.companyId, filter), slice));
    for (const group of groups) add(group);
    questions.add(asked);
    slices++;
  }
  const bySender = sources.figures();
  const value: LogFigures = {
    all: all.figures().get("") ?? NONE,
    days: days.figures(),
    hours: hours.figures(),
    sources: [...senders].map(([sender, { id, origin, adapters }]) => ({
      ...(bySender.get(sender) ?? NONE),
      ...{ id, origin, adapters: ADAPTERS.filter((name) => adapters.has(name)).toSorted() },
    })),
    keyDays,
    topQuestions: questions.top("times", TOP_QUESTIONS),
    unansweredQuestions: questions.top("missed", TOP_QUESTIONS),
  };
  return { value, isCostly: slices >= COSTLY_FROM_SLICES };
}

interface Slice extends Record<string, unknown> {
  groups: LoggedGroup[];
  asked: AskedQuestion[];
}

/** The requests of a slice as groups of equal ones, and its questions by their text without case and outer spaces. */
async function readSlice(scope: TenantScope, condition: SQL | undefined): Promise<Slice> {
  const { at, origin, apiKeyId, via, durationMs, queryText } = queryLog;
  const [slice] = await scope.transaction((tx) =>
    tx.execute<Slice>(sql`
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
          (count(*) filter (where unanswered))::int as missed
        from slice where question is not null group by 1
      )
      select coalesce((select json_agg(groups) from groups), '[]') as groups,
        coalesce((select json_agg(asked) from asked), '[]') as asked`),
  );
  return slice ?? { groups: [], asked: [] };
}

function getOrSet<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
