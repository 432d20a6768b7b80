import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { inSearchQueue, queueRefusal } from "./search-queue.ts";

const busy = tenantScope("0192aaaa-0000-7000-8000-000000000001").companyId;
const quiet = tenantScope("0192aaaa-0000-7000-8000-000000000002").companyId;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const search = (companyId: typeof busy, ms: number) =>
  inSearchQueue(companyId, undefined, () => new Promise<void>((resolve) => setTimeout(resolve, ms)));

test("refuses a company's question when its queue has lasted and is long, and no question of another company", async () => {
  const first = search(busy, 2_000);
  await vi.advanceTimersByTimeAsync(2_000);
  await first;
  const searches = Array.from({ length: 100 }, () => search(busy, 4_000));
  expect(queueRefusal(busy)).toBeNull();
  await vi.advanceTimersByTimeAsync(3_001);
  expect(queueRefusal(busy)).toMatchObject({
    error: "TooManyRequests",
    message: "Too many questions of this company are waiting. Retry in 15 seconds.",
    headers: { "Retry-After": "15" },
  });
  expect(queueRefusal(quiet)).toBeNull();
  await vi.runAllTimersAsync();
  await Promise.all(searches);
  expect(queueRefusal(busy)).toBeNull();
});

test("does not refuse a question for a short queue that has lasted", async () => {
  const first = search(quiet, 200);
  await vi.advanceTimersByTimeAsync(200);
  await first;
  const searches = Array.from({ length: 40 }, () => search(quiet, 4_000));
  await vi.advanceTimersByTimeAsync(3_001);
  expect(queueRefusal(quiet)).toBeNull();
  await vi.runAllTimersAsync();
  await Promise.all(searches);
});
