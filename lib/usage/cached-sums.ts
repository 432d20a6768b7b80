import type { SQL } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { singleton } from "../singleton.ts";
import { firstDay } from "./log-conditions.ts";
import { type LogSpan, logSlices } from "./log-slices.ts";

/** A smaller log is read quickly. */
const LARGE_FROM_SLICES = 5;
/** A request is written to the log a moment after its time, and the clocks of servers differ. */
const SETTLED_AFTER_MS = 10_000;
/** A multiple of the time that reading the log took. */
const LIFETIME_FACTOR = 200;
const LIFETIME_MS_MAX = 600_000;
const UNUSED_MS_MAX = 2 * LIFETIME_MS_MAX;
const ENTRIES_MAX = 20;
/** Of the sums of one name together. */
const BYTES_MAX = 128 << 20;
const ENTRY_BYTES = 500;

/** A sum over requests, to which slices of the log are added. */
export interface LogSum<Value, Rows> {
  /** @param slice a condition on `query_log` */
  read(tx: Transaction, slice: SQL | undefined): Promise<Rows>;
  add(rows: Rows): void;
  value(): Value;
  /** About how much memory the sum takes. */
  bytes(): number;
}

interface SummedLog<Value, Rows> {
  key: string;
  /** The last days, including today. */
  days: number;
  begin: () => LogSum<Value, Rows>;
}

interface CachedSum<Value, Rows> {
  sum: LogSum<Value, Rows>;
  /** The sum has the requests up to this time. */
  covered: string | undefined;
  /** The latest cut-off so far, in milliseconds since 1970. Later requests are not summed yet. */
  settled: number;
  /** In milliseconds of `performance.now()`. */
  freshUntil: number;
}

/**
 * Keeps the sums over large logs, so that each reading adds only the new requests. Such a sum leaves out the last 10
 * seconds. It is read again in the background after at most 10 minutes, which corrects it by requests that were deleted or
 * written late. A small log is read from the start each time, and so is one whose sum was evicted by newer ones.
 * @param name of the sums that one key belongs to
 */
export function cachedSums<Value, Rows>(name: string) {
  const cached = singleton(
    name,
    () =>
      new LRUCache<string, CachedSum<Value, Rows>>({
        ...{ max: ENTRIES_MAX, ttl: UNUSED_MS_MAX, ttlAutopurge: true },
        maxSize: BYTES_MAX,
        sizeCalculation: ({ sum }) => ENTRY_BYTES + sum.bytes(),
      }),
  );
  const readings = singleton(`${name} readings`, () => new Map<string, Promise<Value>>());

  async function read(scope: TenantScope, key: string, summed: SummedLog<Value, Rows>): Promise<Value> {
    const known = cached.get().get(key);
    if (!known) return (await readAll(scope, key, summed)).value();
    await addSettled(scope, summed.days, known);
    // unless it was replaced in the meantime
    if (cached.get().get(key) === known) {
      // the cache measures new entries only
      cached.get().delete(key);
      cached.get().set(key, known);
      if (performance.now() >= known.freshUntil) renew(scope, key, summed, known);
    }
    return known.sum.value();
  }

  async function readAll(scope: TenantScope, key: string, { days, begin }: SummedLog<Value, Rows>) {
    const fresh = { sum: begin(), covered: undefined, settled: 0, freshUntil: 0 };
    const started = performance.now();
    const isLarge = (await addSettled(scope, days, fresh)) >= LARGE_FROM_SLICES;
    if (!isLarge) await addSlices(scope, { days }, fresh);
    const now = performance.now();
    fresh.freshUntil = now + Math.min(LIFETIME_MS_MAX, LIFETIME_FACTOR * (now - started));
    if (isLarge) cached.get().set(key, fresh);
    else cached.get().delete(key);
    return fresh.sum;
  }

  function renew(scope: TenantScope, key: string, summed: SummedLog<Value, Rows>, known: CachedSum<Value, Rows>): void {
    known.freshUntil = Number.POSITIVE_INFINITY;
    readAll(scope, key, summed).catch((error: unknown) => {
      known.freshUntil = 0;
      log().warn({ err: error }, "the query log could not be read again");
    });
  }

  // one reading of a sum at a time: who waits for the first of a large log has little left to read
  return async (scope: TenantScope, summed: SummedLog<Value, Rows>): Promise<Value> => {
    const key = JSON.stringify([scope.companyId, firstDay(summed.days), summed.key]);
    const before = readings
      .get()
      .get(key)
      ?.catch(() => undefined);
    const reading = Promise.resolve(before).then(() => read(scope, key, summed));
    readings.get().set(key, reading);
    try {
      return await reading;
    } finally {
      if (readings.get().get(key) === reading) readings.get().delete(key);
    }
  };
}

/** @returns the number of slices */
function addSettled<Value, Rows>(scope: TenantScope, days: number, cached: CachedSum<Value, Rows>): Promise<number> {
  // never earlier than before, although a clock may be set back
  cached.settled = Math.max(cached.settled, Date.now() - SETTLED_AFTER_MS);
  return addSlices(scope, { days, until: new Date(cached.settled).toISOString() }, cached);
}

/** Adds the requests of a span after those in the sum. @returns the number of slices */
async function addSlices<Value, Rows>(
  scope: TenantScope,
  span: LogSpan,
  cached: CachedSum<Value, Rows>,
): Promise<number> {
  const { sum, covered: after } = cached;
  let slices = 0;
  for await (const { rows, end } of logSlices(scope, { ...span, after }, sum.read)) {
    sum.add(rows);
    cached.covered = end;
    slices++;
  }
  return slices;
}
