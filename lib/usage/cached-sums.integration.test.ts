import { type SQL, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testCompany } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { cachedSums, type LogSum } from "./cached-sums.ts";

const { db } = testDatabase();
const LARGE = 11_000;
const DAYS = 7;
/** How long reading a slice takes in these tests. */
const SLICE_MS = 50;
const SLICES = 6;
const WAIT_MS = 20_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  // no test passes midnight, at which other sums begin
  vi.setSystemTime(new Date().setUTCHours(12, 0, 0, 0));
});
afterEach(() => void vi.useRealTimers());

async function writeRequests(scope: TenantScope, count: number, ageMs: number): Promise<void> {
  const last = new Date(Date.now() - ageMs).toISOString();
  await db.execute(sql`
    insert into ${queryLog} (company_id, id, at, origin, status_code)
    select ${scope.companyId}, gen_random_uuid(), ${last}::timestamptz - n * interval '10 ms', 'api', 200
    from generate_series(0, ${count - 1}::int) as n`);
}

/** Counts requests. @param added the requests of each slice that was read */
function counter(added: number[], onSlice = () => {}, bytes = () => 0): () => LogSum<number, number> {
  return () => {
    let total = 0;
    return {
      read: (tx: Transaction, slice: SQL | undefined) => tx.$count(queryLog, slice),
      add(rows) {
        vi.advanceTimersByTime(SLICE_MS);
        total += rows;
        added.push(rows);
        onSlice();
      },
      value: () => total,
      bytes,
    };
  };
}

test("the sum over a large log reads each request once, when it is 10 seconds old", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  await writeRequests(scope, 3, 0);
  const added: number[] = [];
  const count = cachedSums<number, number>("settledInTest");
  const read = () => count(scope, { key: "", days: DAYS, begin: counter(added) });
  expect(await read()).toBe(LARGE);
  expect(added).toHaveLength(SLICES);
  expect(await read()).toBe(LARGE);
  vi.advanceTimersByTime(11_000);
  expect(await read()).toBe(LARGE + 3);
  expect(added.slice(SLICES)).toEqual([0, 3]);
});

test("a large log is read again after 200 times as long as it took, or 10 minutes, while people get the old sum", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  const added: number[] = [];
  const count = cachedSums<number, number>("anewInTest");
  const read = () => count(scope, { key: "", days: DAYS, begin: counter(added) });
  await read();
  await writeRequests(scope, 5, 60_000);
  vi.advanceTimersByTime(200 * SLICES * SLICE_MS - 1_000);
  expect(await read()).toBe(LARGE);
  expect(added).toHaveLength(SLICES + 1);
  vi.advanceTimersByTime(1_000);
  expect(await read()).toBe(LARGE);
  await vi.waitFor(async () => expect(await read()).toBe(LARGE + 5), WAIT_MS);
  await db.execute(sql`delete from ${queryLog} where company_id = ${scope.companyId}`);
  await writeRequests(scope, 2, 0);
  vi.advanceTimersByTime(600_000);
  expect(await read()).toBe(LARGE + 7);
  await vi.waitFor(async () => expect(await read()).toBe(2), WAIT_MS);
  await writeRequests(scope, 1, 0);
  expect(await read()).toBe(3);
});

test("people who open a large log at the same time read it once", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  const added: number[] = [];
  const count = cachedSums<number, number>("sharedInTest");
  const read = () => count(scope, { key: "", days: DAYS, begin: counter(added) });
  expect(await Promise.all([read(), read(), read()])).toEqual([LARGE, LARGE, LARGE]);
  expect(added.filter((rows) => rows > 0)).toHaveLength(SLICES);
});

test("a clock that is set back counts no request twice", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  const count = cachedSums<number, number>("setBackInTest");
  const read = () => count(scope, { key: "", days: DAYS, begin: counter([]) });
  const now = Date.now();
  expect(await read()).toBe(LARGE);
  vi.setSystemTime(now - 60_000);
  expect(await read()).toBe(LARGE);
  vi.setSystemTime(now);
  expect(await read()).toBe(LARGE);
});

test("a failed reading is followed by a whole one", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  const added: number[] = [];
  const count = cachedSums<number, number>("failedInTest");
  const failing = counter(added, () => {
    if (added.length === SLICES) throw new Error("away");
  });
  await expect(count(scope, { key: "", days: DAYS, begin: failing })).rejects.toThrow("away");
  expect(await count(scope, { key: "", days: DAYS, begin: counter(added) })).toBe(LARGE);
});

test("a failed reading does not fail the one that waits for it", async () => {
  const scope = await testCompany();
  await writeRequests(scope, 3, 20_000);
  const count = cachedSums<number, number>("waitingInTest");
  const failing = counter([], () => {
    throw new Error("away");
  });
  const readings = [failing, counter([])].map((begin) => count(scope, { key: "", days: DAYS, begin }));
  const outcomes = await Promise.allSettled(readings);
  expect(outcomes).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: 3 }]);
});

test("sums that grow take the memory of those that were used before", async () => {
  const scope = await testCompany();
  await writeRequests(scope, LARGE, 20_000);
  const count = cachedSums<number, number>("grownInTest");
  const sum = (key: string) => {
    const [kept, added] = [{ bytes: 50 << 20 }, [] as number[]];
    const begin = counter(added, undefined, () => kept.bytes);
    const slicesRead = async () => {
      const before = added.length;
      await count(scope, { key, days: DAYS, begin });
      return added.length - before;
    };
    return { kept, slicesRead };
  };
  const [a, b] = [sum("a"), sum("b")];
  expect([await a.slicesRead(), await b.slicesRead()]).toEqual([SLICES, SLICES]);
  expect([await b.slicesRead(), await a.slicesRead()]).toEqual([1, 1]);
  a.kept.bytes = 100 << 20;
  expect([await a.slicesRead(), await b.slicesRead()]).toEqual([1, SLICES]);
});
