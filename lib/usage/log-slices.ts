import { and, eq, gt, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { singleton } from "../singleton.ts";
import { withTimeout } from "../timeout.ts";
import { firstDay } from "./log-conditions.ts";

/** On the embedded database, a statement over more rows would delay the questions behind it. */
const ROWS_PER_SLICE = 2_000;

/** A part of the log. Times are text, because a JavaScript date has no microseconds. */
export interface LogSpan {
  /** The last days, including today; absent for the whole log. */
  days?: number;
  /** Only requests after this time. */
  after?: string | undefined;
  /** Only requests up to this time. */
  until?: string | undefined;
}

interface LogSlice<Rows> {
  rows: Rows;
  /** On `query_log`. */
  condition: SQL | undefined;
  /** The time of its last request; that of the span for the last slice. */
  end: string | undefined;
}

/** A statement that hangs must not stop all readers. */
const SLICE_MAX_MS = 5_000;
const LATEST_SLICE = singleton("logSlices", () => ({ last: Promise.resolve<unknown>(undefined) }));

/**
 * Reads a span of the log in slices of about `ROWS_PER_SLICE` rows, oldest first, so that other statements of the
 * embedded database get their turn between them. One slice at a time is read in a process, so that all readers together
 * use one of its connections.
 * @param read what to read of the rows that match the condition
 */
export async function* logSlices<Rows>(
  scope: TenantScope,
  { days, after, until }: LogSpan,
  read: (tx: Transaction, condition: SQL | undefined) => Promise<Rows>,
): AsyncGenerator<LogSlice<Rows>> {
  const { companyId, at } = queryLog;
  const begin = days === undefined ? undefined : gte(at, firstDay(days));
  const within = and(eq(companyId, scope.companyId), begin, until === undefined ? undefined : lte(at, time(until)));
  for (let start = after; ; ) {
    const rest = and(within, start === undefined ? undefined : gt(at, time(start)));
    const { last, ...slice } = await oneAtATime(() =>
      scope.transaction(async (tx) => {
        const last = await endOfSlice(tx, rest);
        const condition = last === undefined ? rest : and(rest, lte(at, time(last)));
        return { last, condition, rows: await read(tx, condition) };
      }),
    );
    yield { ...slice, end: last ?? until };
    if (last === undefined) return;
    start = last;
  }
}

function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const latest = LATEST_SLICE.get();
  const { last } = latest;
  const result = last.then(work);
  const limited = () => withTimeout(result, SLICE_MAX_MS, () => new Error("the slice takes too long"));
  latest.last = last.then(limited).catch(() => undefined);
  return result;
}

/** @returns the time of the last request of the first slice; undefined when there are fewer requests than in a slice */
async function endOfSlice(tx: Transaction, rest: SQL | undefined): Promise<string | undefined> {
  const { at } = queryLog;
  const ending = tx
    .select({ at })
    .from(queryLog)
    .where(rest)
    .orderBy(at)
    .offset(ROWS_PER_SLICE - 1)
    .limit(1)
    .as("ending");
  const [last] = await tx.select({ at: sql<string>`${ending.at}::text` }).from(ending);
  return last?.at;
}

function time(text: string): SQL {
  return sql`${text}::timestamptz`;
}
