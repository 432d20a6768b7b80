import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOfStatus, isProviderError, ProviderError } from "./provider-error.ts";
import { type Budget, budgets, createResilience, type Resilience } from "./resilience.ts";

const once: Budget = {
  ...budgets.query,
  attemptMs: 5_000,
  deadlineMs: 10_000,
  retries: 0,
  jitterMs: 1,
  waitMaxMs: 10_000,
};
const fault = () => Promise.reject(new ProviderError("fault", "down"));
const rejected = () => Promise.reject(new ProviderError("rejected", "bad text"));
const fine = () => Promise.resolve("fine");
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

// only the circuit breaker's clock is fake; time-outs and sockets use real time
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error("expected a failure"),
    (reason: unknown) => reason,
  );
  return isProviderError(error) ? error.failure : String(error);
}

async function fail(resilience: Resilience, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await failureOf(resilience.run(fault));
}

/** A call whose caller leaves before it fails. */
async function leave(resilience: Resilience): Promise<void> {
  const caller = new AbortController();
  const attempt = () => {
    caller.abort();
    return fault();
  };
  await failureOf(resilience.run(attempt, caller.signal));
}

describe("the circuit breaker", () => {
  it("opens after five failures in a row and then makes no calls", async () => {
    const resilience = createResilience(once);
    await fail(resilience, 4);
    expect(resilience.open).toBe(false);
    await fail(resilience, 1);
    const attempt = vi.fn(fine);
    expect(await failureOf(resilience.run(attempt))).toBe("open");
    expect(attempt).not.toHaveBeenCalled();
  });

  it("names the failure that opened it in every refusal", async () => {
    const resilience = createResilience(once);
    await fail(resilience, 5);
    await failureOf(resilience.run(rejected));
    await expect(resilience.run(fine)).rejects.toThrow(/^down; .*paused/);
  });

  it("opens when more than half of at least ten calls fail", async () => {
    const resilience = createResilience(once);
    for (let i = 0; i < 3; i++) {
      await fail(resilience, 3);
      await resilience.run(fine).catch(() => undefined);
    }
    expect(resilience.open).toBe(true);
  });

  it("counts results that fail after they have begun, and waits for the end of a probe", async () => {
    const resilience = createResilience(once);
    for (let i = 0; i < 5; i++) expect(await resilience.run(fine, undefined, fault)).toBe("fine");
    await nextTurn();
    expect(await failureOf(resilience.run(fine))).toBe("open");
    vi.setSystemTime(Date.now() + once.probeAfterMs);
    const end = Promise.withResolvers<void>();
    expect(await resilience.run(fine, undefined, () => end.promise)).toBe("fine");
    expect(await failureOf(resilience.run(fine))).toBe("open");
    end.resolve();
    await nextTurn();
    expect(await resilience.run(fine)).toBe("fine");
  });

  it("stays closed for rejected inputs and for callers that leave", async () => {
    const resilience = createResilience(once);
    for (let i = 0; i < 12; i++) {
      await failureOf(resilience.run(rejected));
      await leave(resilience);
    }
    expect(resilience.open).toBe(false);
  });

  it("lets one probe through after its pause, refuses the others in the meantime, and closes when it succeeds", async () => {
    const resilience = createResilience(once);
    await fail(resilience, 5);
    vi.setSystemTime(Date.now() + once.probeAfterMs);
    const probe = Promise.withResolvers<string>();
    const first = resilience.run(() => probe.promise);
    expect(await failureOf(resilience.run(fine))).toBe("open");
    probe.resolve("back");
    expect(await first).toBe("back");
    expect(await resilience.run(fine)).toBe("fine");
  });

  it.each([
    ["answers", budgets.answer],
    ["questions", budgets.query],
    ["reranking", budgets.rerank],
  ])("calls the provider of %s again two seconds after it opened", async (_what, budget) => {
    const resilience = createResilience({ ...budget, retries: 0 });
    await fail(resilience, 5);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await resilience.run(fine)).toBe("fine");
  });

  it("calls a provider that stays down once in each pause", async () => {
    const resilience = createResilience({ ...once, retries: 1, probeAfterMs: 5_000 });
    const attempt = vi.fn(fault);
    for (let second = 0; second < 60; second++) {
      for (let i = 0; i < 20; i++) await failureOf(resilience.run(attempt));
      vi.setSystemTime(Date.now() + 1_000);
    }
    expect(attempt.mock.calls.length).toBeLessThanOrEqual(5 + 60 / 5);
  });

  it("is not closed by a probe whose caller left", async () => {
    const resilience = createResilience(once);
    await fail(resilience, 5);
    vi.setSystemTime(Date.now() + once.probeAfterMs);
    await leave(resilience);
    expect(await failureOf(resilience.run(fine))).toBe("open");
  });
});

/** A clock that a test can set ahead. */
function fakeClock(): { aheadMs: number } {
  const clock = { aheadMs: 0 };
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + clock.aheadMs);
  onTestFinished(() => void vi.restoreAllMocks());
  return clock;
}

describe("a provider that answers none of many calls", () => {
  it("gets no more calls until it answers one, or until they time out", async () => {
    const resilience = createResilience(once);
    const clock = fakeClock();
    const answers = Array.from({ length: 15 }, () => Promise.withResolvers<string>());
    const calls = answers.map(({ promise }) => resilience.run(() => promise));
    expect(await resilience.run(fine)).toBe("fine");
    clock.aheadMs += once.attemptMs / 2;
    const attempt = vi.fn(fine);
    expect(await failureOf(resilience.run(attempt))).toBe("open");
    expect(attempt).not.toHaveBeenCalled();
    answers[0]?.resolve("late");
    await calls[0];
    expect(await resilience.run(attempt)).toBe("fine");
    for (const { resolve } of answers) resolve("late");
    await Promise.all(calls);
  });

  it("is not taken for one when it has always been slow", async () => {
    const resilience = createResilience(once);
    const clock = fakeClock();
    const answerIn = async (ms: number) => {
      await nextTurn();
      clock.aheadMs += ms;
      return "slow";
    };
    await resilience.run(() => answerIn(0.6 * once.attemptMs));
    const answers = Array.from({ length: 15 }, () => Promise.withResolvers<string>());
    const calls = answers.map(({ promise }) => resilience.run(() => promise));
    clock.aheadMs += 0.5 * once.attemptMs;
    expect(await resilience.run(fine)).toBe("fine");
    for (const { resolve } of answers) resolve("slow");
    await Promise.all(calls);
  });
});

describe("retries", () => {
  it("make at most as many attempts as the budget allows", async () => {
    const attempt = vi.fn(fault);
    await failureOf(createResilience({ ...once, retries: 3 }).run(attempt));
    expect(attempt).toHaveBeenCalledTimes(4);
  });

  it("wait as long as the provider asks", async () => {
    const limited = () => Promise.reject(new ProviderError("busy", "later", { retryAfterMs: 400 }));
    const attempt = vi.fn<() => Promise<string>>(fine).mockImplementationOnce(limited);
    const start = performance.now();
    expect(await createResilience({ ...once, retries: 1 }).run(attempt)).toBe("fine");
    expect(performance.now() - start).toBeGreaterThan(200);
  });

  it("are not made when the provider asks for a longer wait than the budget allows", async () => {
    const limited = vi.fn(() => Promise.reject(new ProviderError("fault", "down", { retryAfterMs: 1_000 })));
    expect(await failureOf(createResilience(budgets.answer).run(limited))).toBe("fault");
    expect(limited).toHaveBeenCalledTimes(1);
  });

  it("share one deadline", async () => {
    const budget = { ...once, attemptMs: 60, deadlineMs: 100, retries: 50, retryTimeouts: true };
    const hanging = vi.fn(hang);
    expect(await failureOf(createResilience(budget).run(hanging))).toBe("timeout");
    // two, and some short ones when timers fire early
    expect(hanging.mock.calls.length).toBeLessThan(50);
  });

  it("stop immediately when the caller leaves", async () => {
    const caller = new AbortController();
    const limited = () => Promise.reject(new ProviderError("busy", "later", { retryAfterMs: 3_600_000 }));
    const patient = { ...once, retries: 1, waitMaxMs: 7_200_000, deadlineMs: 7_200_000 };
    const call = createResilience(patient).run(limited, caller.signal);
    setImmediate(() => caller.abort(new Error("client left")));
    await expect(call).rejects.toThrow("client left");
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  it.each([
    ["7", 7_000],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
    ["soon", null],
    [null, null],
  ])("%s is %s ms", (header, expected) => {
    expect(errorOfStatus(429, header, now).retryAfterMs).toBe(expected);
  });
});
