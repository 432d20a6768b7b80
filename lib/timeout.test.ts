import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withTimeout } from "./timeout.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const late = () => new Error("late");

test("work in time settles as it would by itself, and no timer is left", async () => {
  expect(await withTimeout(Promise.resolve(1), 10, late)).toBe(1);
  await expect(withTimeout(Promise.reject(new Error("own")), 10, late)).rejects.toThrow("own");
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes longer rejects with the given error, and may fail later without harm", async () => {
  const work = Promise.withResolvers<number>();
  const outcome = expect(withTimeout(work.promise, 10, late)).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(10);
  await outcome;
  work.reject(new Error("too late"));
  await vi.runAllTimersAsync();
});
