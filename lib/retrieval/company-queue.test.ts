import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { companyQueue } from "./company-queue.ts";

const [busy, quiet] = ["0192aaaa-0000-7000-8000-000000000001", "0192aaaa-0000-7000-8000-000000000002"].map(
  (id) => tenantScope(id).companyId,
);
if (!busy || !quiet) throw new Error("two companies");

/** Work that the test finishes or fails by hand. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = false;
  return {
    begun: () => begun,
    finish: () => resolve("done"),
    fail: () => reject(new Error("broken")),
    run: () => {
      begun = true;
      return promise;
    },
  };
}

test("a company's question does not wait for the questions of another company", async () => {
  const queue = companyQueue({ atOnce: 2, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50 });
  const many = Array.from({ length: 50 }, work);
  const running = many.map(({ run }) => queue.run(busy, run));
  const one = work();
  const answered = queue.run(quiet, one.run);
  await setImmediate();
  expect(many.filter(({ begun }) => begun())).toHaveLength(2);
  expect(one.begun()).toBe(true);
  one.finish();
  expect(await answered).toBe("done");
  for (const { finish } of many) finish();
  expect(await Promise.all(running)).toHaveLength(50);
});

test("failed work makes room for the next", async () => {
  const queue = companyQueue({ atOnce: 1, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50 });
  const [first, second] = [work(), work()];
  const results = Promise.allSettled([queue.run(busy, first.run), queue.run(busy, second.run)]);
  await setImmediate();
  expect(second.begun()).toBe(false);
  first.fail();
  second.finish();
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("work whose caller has left is never started", async () => {
  const queue = companyQueue({ atOnce: 1, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50 });
  const [first, second] = [work(), work()];
  const leaving = new AbortController();
  const running = queue.run(busy, first.run);
  const left = queue.run(busy, second.run, leaving.signal);
  leaving.abort(new Error("the client left"));
  first.finish();
  await running;
  await expect(left).rejects.toThrow("the client left");
  await setImmediate();
  expect(second.begun()).toBe(false);
});

test("estimates the wait in a company's queue from the time between two ends, without idle time and callers that left", async () => {
  let clock = 0;
  const queue = companyQueue({ atOnce: 1, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 0, now: () => clock });
  const takes100 = async () => {
    clock += 100;
  };
  await queue.run(busy, takes100);
  clock += 1_000_000;
  await queue.run(busy, takes100);
  const [running, waiting] = [work(), work()];
  const leaving = new AbortController();
  const runs = [queue.run(busy, running.run), queue.run(busy, waiting.run)];
  const left = queue.run(busy, work().run, leaving.signal);
  clock += 50;
  // a tenth of 100 ms, and a tenth more of the rest
  expect(queue.queueOf(busy)).toEqual({ waitedMs: 50, expectedMs: expect.closeTo(2 * 19) });
  expect(queue.queueOf(quiet)).toEqual({ waitedMs: 0, expectedMs: 0 });
  leaving.abort(new Error("the client left"));
  await expect(left).rejects.toThrow("the client left");
  expect(queue.queueOf(busy).expectedMs).toBeCloseTo(19);
  running.finish();
  waiting.finish();
  await Promise.all(runs);
});

describe("next to a company that asked less", () => {
  /** The busy company has used one second. */
  const afterBusySecond = async () => {
    let clock = 0;
    const queue = companyQueue({
      atOnce: 2,
      atOnceBesideOthers: 1,
      yieldMaxMs: 1_000,
      pauseMaxMs: 50,
      now: () => clock,
    });
    await queue.run(busy, async () => {
      clock += 1_000;
    });
    return { queue, wait: (ms: number) => (clock += ms) };
  };

  test("a company starts no search while the other has one running", async () => {
    const { queue } = await afterBusySecond();
    const [first, other, next] = [work(), work(), work()];
    const running = queue.run(busy, first.run);
    const answered = queue.run(quiet, other.run);
    const waiting = queue.run(busy, next.run);
    first.finish();
    await running;
    // longer than the pause after it
    await setTimeout(10);
    expect([other.begun(), next.begun()]).toEqual([true, false]);
    other.finish();
    await answered;
    await expect.poll(next.begun).toBe(true);
    next.finish();
    await waiting;
  });

  test.each([
    { took: 40, pause: 44, about: "as long as it took" },
    { took: 200, pause: 50, about: "at most as long as allowed" },
  ])("a company that used much more pauses after a search for $about", async ({ took, pause }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { queue, wait } = await afterBusySecond();
    await queue.run(quiet, async () => {
      wait(10);
    });
    await queue.run(busy, async () => {
      wait(took);
    });
    const [next, other] = [work(), work()];
    const running = [queue.run(busy, next.run), queue.run(quiet, other.run)];
    await setImmediate();
    expect([next.begun(), other.begun()]).toEqual([false, true]);
    other.finish();
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(next.begun()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(next.begun()).toBe(true);
    next.finish();
    await Promise.all(running);
  });

  test.each([
    { name: "nobody else has asked for a second", otherUsed: 10, idle: 1_000 },
    { name: "the other uses about as much", otherUsed: 600, idle: 0 },
  ])("a company does not pause when $name", async ({ otherUsed, idle }) => {
    const { queue, wait } = await afterBusySecond();
    await queue.run(quiet, async () => {
      wait(otherUsed);
    });
    wait(idle);
    await queue.run(busy, async () => {
      wait(40);
    });
    const next = work();
    const running = queue.run(busy, next.run);
    await setImmediate();
    expect(next.begun()).toBe(true);
    next.finish();
    await running;
  });

  test("a company runs one search at a time, and more again after the other has been idle for a second", async () => {
    const { queue, wait } = await afterBusySecond();
    await queue.run(quiet, async () => {
      wait(50);
    });
    const searches = [work(), work(), work()];
    const running = searches.map(({ run }) => queue.run(busy, run));
    await setImmediate();
    expect(searches.map(({ begun }) => begun())).toEqual([true, false, false]);
    wait(1_000);
    searches[0]?.finish();
    await setImmediate();
    expect(searches.map(({ begun }) => begun())).toEqual([true, true, true]);
    for (const { finish } of searches) finish();
    await Promise.all(running);
  });

  test("no company waits forever", async () => {
    const { queue, wait } = await afterBusySecond();
    const [other, another, next] = [work(), work(), work()];
    const running = [queue.run(quiet, other.run), queue.run(busy, next.run)];
    await setImmediate();
    expect(next.begun()).toBe(false);
    wait(1_000);
    running.push(queue.run(quiet, another.run));
    await setImmediate();
    expect(next.begun()).toBe(true);
    for (const { finish } of [other, another, next]) finish();
    await Promise.all(running);
  });
});

test("other work waits until nothing runs, but not forever", async () => {
  const queue = companyQueue({ atOnce: 1, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50 });
  await queue.untilQuiet(60_000);
  const one = work();
  const running = queue.run(quiet, one.run);
  await queue.untilQuiet(1);
  const waiting = queue.untilQuiet(60_000);
  one.finish();
  await Promise.all([running, waiting]);
});

test("tells for how long nothing has run", async () => {
  let clock = 0;
  const queue = companyQueue({ atOnce: 1, atOnceBesideOthers: 1, yieldMaxMs: 1_000, pauseMaxMs: 50, now: () => clock });
  expect(queue.ranWithin(1_000)).toBe(false);
  await queue.run(quiet, async () => {
    clock += 5_000;
    expect(queue.ranWithin(1_000)).toBe(true);
  });
  expect(queue.ranWithin(1_000)).toBe(true);
  clock += 1_000;
  expect(queue.ranWithin(1_000)).toBe(false);
});
