import type { SQL } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Transaction } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { singleton } from "../singleton.ts";
import { firstDay } from "./conditions.ts";
import { type LogSpan, logSlices } from "./log-slices.ts";

/** A smaller log is read quickly. */
const LARGE_FROM_SLICES = 5;
/** A request is written to the log a moment after its time, and the clocks of servers differ. */
const SETTLED_AFTER_MS = 10_000;
/** A multiple of the time that reading the log took. */
const KEPT_FOR_TIMES = 200;
const KEPT_FOR_MS_MAX = 600_000;
const KEPT_MAX = 30;

/** A sum over requests, to which slices of the log are added. */
export interface LogSum<Value, Rows> {
  /** @param slice a condition on `query_log` */
  read(tx: Transaction, slice: SQL | undefined): Promise<Rows>;
  add(rows: Rows): void;
  value(): Value;
}

interface SummedLog<Value, Rows> {
  key: string;
  /** The last days, including today. */
  days: number;
  begin: () => LogSum<Value, Rows>;
}

interface Kept<Value, Rows> {
  sum: LogSum<Value, Rows>;
  /** The time of the last request in the sum. */
  covered: string | undefined;
  /** In milliseconds of `performance.now()`. */
  keptUntil: number;
  reading: Promise<unknown> | null;
}

/**
 * Keeps the sums over large logs, so that each reading adds only the new requests. Such a sum has no requests of the
 * last 10 seconds, and follows those that were deleted or written late within 10 minutes. A small log is read each time.
 * @param name of the sums that one key belongs to
 */
export function logSums<Value, Rows>(name: string) {
  const kept = singleton(name, () => new LRUCache<string, Kept<Value, Rows>>({ max: KEPT_MAX }));

  async function readAll(scope: TenantScope, { key, days }: { key: string; days: number }, fresh: Kept<Value, Rows>) {
    const started = performance.now();
    // from now on, others wait for this reading instead of starting their own
    const keep = () => void kept.get().set(key, fresh);
    try {
      const isLarge = (await addSettled(scope, days, fresh, keep)) >= LARGE_FROM_SLICES;
      if (!isLarge) {
        kept.get().delete(key);
        await addSlices(scope, { days }, fresh);
      }
      const now = performance.now();
      fresh.keptUntil = now + Math.min(KEPT_FOR_MS_MAX, KEPT_FOR_TIMES * (now - started));
    } catch (error) {
      kept.get().delete(key);
      throw error;
    }
  }

  return async (scope: TenantScope, { key, days, begin }: SummedLog<Value, Rows>): Promise<Value> => {
    const log = { key: JSON.stringify([scope.companyId, firstDay(days), key]), days };
    const known = kept.get().get(log.key);
    if (known && performance.now() < known.keptUntil) {
      await shared(known, () => addSettled(scope, days, known));
      return known.sum.value();
    }
    const fresh: Kept<Value, Rows> = {
      sum: begin(),
      covered: undefined,
      keptUntil: Number.POSITIVE_INFINITY,
      reading: null,
    };
    if (known) kept.get().set(log.key, fresh);
    await shared(fresh, () => readAll(scope, log, fresh));
    return fresh.sum.value();
  };
}

/** Reads once for all who wait for a sum. */
function shared<Value, Rows>(kept: Kept<Value, Rows>, read: () => Promise<unknown>): Promise<unknown> {
  kept.reading ??= read().finally(() => {
    kept.reading = null;
  });
  return kept.reading;
}

/** @returns the number of slices */
function addSettled<Value, Rows>(
  scope: TenantScope,
  days: number,
  kept: Kept<Value, Rows>,
  onLarge?: () => void,
): Promise<number> {
  return addSlices(scope, { days, until: new Date(Date.now() - SETTLED_AFTER_MS).toISOString() }, kept, onLarge);
}

/** Adds the requests of a span after those in the sum. @returns the number of slices */
async function addSlices<Value, Rows>(
  scope: TenantScope,
  span: LogSpan,
  kept: Kept<Value, Rows>,
  onLarge?: () => void,
): Promise<number> {
  let slices = 0;
  const { sum, covered: after } = kept;
  for await (const { rows, end } of logSlices(scope, { ...span, after }, sum.read)) {
    sum.add(rows);
    kept.covered = end;
    slices++;
    if (slices === LARGE_FROM_SLICES) onLarge?.();
  }
  return slices;
}
