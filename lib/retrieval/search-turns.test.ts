import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { inSearchTurn, queueRefusal } from "./search-turns.ts";

const busy = tenantScope("0192aaaa-0000-7000-8000-000000000001").companyId;
const quiet = tenantScope("0192aaaa-0000-7000-8000-000000000002").companyId;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("refuses a company's search when its queue has lasted and is long, and no search of another company", async () => {
  const takes = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const first = inSearchTurn(busy, undefined, takes(2_000));
  await vi.advanceTimersByTimeAsync(2_000);
  await first;
  const searches = Array.from({ length: 100 }, () => inSearchTurn(busy, undefined, takes(4_000)));
  expect(queueRefusal(busy)).toBeNull();
  await vi.advanceTimersByTimeAsync(3_001);
  expect(queueRefusal(busy)).toMatchObject({
    error: "ServiceUnavailable",
    message: "Too many questions of this company are waiting for an answer. Retry in 20 seconds.",
    headers: { "Retry-After": "20" },
  });
  expect(queueRefusal(quiet)).toBeNull();
  await vi.runAllTimersAsync();
  await Promise.all(searches);
  expect(queueRefusal(busy)).toBeNull();
});
