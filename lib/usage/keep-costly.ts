import { LRUCache } from "lru-cache";
import { singleton } from "../singleton.ts";

/** A multiple of the time that reading took, so that it takes at most a twentieth of the time. */
const KEPT_FOR_TIMES = 20;
const KEPT_MAX = 100;

interface Kept<Value> {
  value: Promise<Value>;
  /** In milliseconds of `performance.now()`. */
  until: number;
}

interface Reading<Value> {
  value: Value;
  /** Whether the value takes long to read; others are read each time. */
  isCostly: boolean;
}

/**
 * Reuses what took long to read for 20 times as long as reading it took, and reads it once for all who wait for it.
 * @param name of the values that one key belongs to
 */
export function keepCostly<Value>(name: string) {
  const kept = singleton(name, () => new LRUCache<string, Kept<Value>>({ max: KEPT_MAX }));
  return async (key: string, read: () => Promise<Reading<Value>>): Promise<Value> => {
    const known = kept.get().get(key);
    const started = performance.now();
    if (known && started < known.until) return known.value;
    const reading = read();
    const value = reading.then((done) => done.value);
    if (known) kept.get().set(key, { value, until: Number.POSITIVE_INFINITY });
    try {
      const { isCostly } = await reading;
      const now = performance.now();
      if (isCostly) kept.get().set(key, { value, until: now + KEPT_FOR_TIMES * (now - started) });
      else kept.get().delete(key);
    } catch {
      kept.get().delete(key);
    }
    return value;
  };
}
