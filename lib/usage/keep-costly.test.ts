import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepCostly } from "./keep-costly.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reader(ms: number, isCostly: boolean) {
  return vi.fn(async () => {
    await vi.advanceTimersByTimeAsync(ms);
    return { value: Date.now(), isCostly };
  });
}

test("reuses a costly value for 20 times as long as reading it took, for each key", async () => {
  const kept = keepCostly<number>("keptInTest");
  const read = reader(100, true);
  const first = await kept("a", read);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(await kept("a", read)).toBe(first);
  await kept("b", read);
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2);
  const [second, third] = await Promise.all([kept("a", read), kept("a", read)]);
  expect(second).toBeGreaterThan(first);
  expect(third).toBe(second);
  expect(read).toHaveBeenCalledTimes(3);
});

test("reads other values each time, and again after a failure", async () => {
  const kept = keepCostly<number>("othersInTest");
  const read = reader(100, false);
  expect(await kept("a", read)).toBeLessThan(await kept("a", read));
  const failing = vi.fn(() => Promise.reject(new Error("away")));
  await expect(kept("a", failing)).rejects.toThrow("away");
  await expect(kept("a", failing)).rejects.toThrow("away");
  expect(failing).toHaveBeenCalledTimes(2);
});
