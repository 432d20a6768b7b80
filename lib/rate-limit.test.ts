import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { consumeRateLimit, showRateLimit } from "./rate-limit.ts";
import { singleton } from "./singleton.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

let keys = 0;
function newKey(perMinute: number) {
  return { id: `key-${keys++}`, perMinute };
}

async function consume(limit: ReturnType<typeof newKey>) {
  const headers = new Headers();
  const refusal = await consumeRateLimit(limit, headers).then(
    () => null,
    (error: unknown) => error,
  );
  return { refusal, headers: Object.fromEntries(headers) };
}

test("counts down, refuses the request above the limit, and starts again", async () => {
  const limit = newKey(2);
  expect(await consume(limit)).toEqual({
    refusal: null,
    headers: { "ratelimit-limit": "2", "ratelimit-remaining": "1", "ratelimit-reset": "60" },
  });
  vi.advanceTimersByTime(18_500);
  expect((await consume(limit)).headers).toMatchObject({ "ratelimit-remaining": "0", "ratelimit-reset": "42" });
  const third = await consume(limit);
  expect(third.refusal).toMatchObject({ statusCode: 429, headers: { "Retry-After": "42" } });
  expect(third.headers).toMatchObject({ "ratelimit-remaining": "0" });
  vi.advanceTimersByTime(41_600);
  expect((await consume(limit)).refusal).toBeNull();
});

test("lets exactly the limit of parallel requests pass", async () => {
  const limit = newKey(50);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => consume(limit)));
  expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(50);
});

test("keys do not share a limit", async () => {
  const [one, other] = [newKey(1), newKey(1)];
  await consume(one);
  expect((await consume(one)).refusal).not.toBeNull();
  expect((await consume(other)).refusal).toBeNull();
});

test("0 means no limit and sends no headers", async () => {
  const limit = newKey(0);
  for (let request = 0; request < 5; request++) expect(await consume(limit)).toEqual({ refusal: null, headers: {} });
});

test("showing the limit does not count as a request", async () => {
  const limit = newKey(3);
  const headers = new Headers();
  await showRateLimit(limit, headers);
  await showRateLimit(limit, headers);
  expect(headers.get("RateLimit-Remaining")).toBe("3");
  expect((await consume(limit)).headers["ratelimit-remaining"]).toBe("2");
});

test("the processes of a server count together, and a server allows its share", () => {
  const script = join(import.meta.dirname, "testing", "count-in-processes.ts");
  const imports = new URL("../scripts/start/quick-imports.ts", import.meta.url).href;
  const allowed = (servers: number) => {
    const env = { ...process.env, SERVERS: String(servers) };
    return Number(execFileSync(process.execPath, ["--import", imports, script], { env, encoding: "utf8" }));
  };
  expect(allowed(1)).toBe(100);
  expect(allowed(4)).toBe(25);
});

test("refuses by a limiter that another copy of the module made", async () => {
  const limit = newKey(3);
  const outcome = { consumedPoints: 4, remainingPoints: 0, msBeforeNext: 9_000 };
  const limiters = singleton("rateLimiters", () => new Map<number, object>()).get();
  limiters.set(limit.perMinute, { consume: () => Promise.reject(outcome) });
  expect((await consume(limit)).refusal).toMatchObject({ statusCode: 429, headers: { "Retry-After": "9" } });
  limiters.delete(limit.perMinute);
});
