import { describe, expect, it } from "vitest";
import { DAY_MS } from "../durations.ts";
import { type NextTry, nextTry } from "./next-try.ts";

/** The attempts of a job that fails every time, each made when it is due. */
function attempts(cause: "unavailable" | "unknown", random = 1): NextTry[] {
  const tries: NextTry[] = [];
  let job: { attempts: number; payload: Record<string, unknown> } = { attempts: 0, payload: {} };
  for (let now = 0; ; ) {
    const next = nextTry({ ...job, attempts: job.attempts + 1 }, { cause }, { now, random });
    tries.push(next);
    if (next.inSeconds === null) return tries;
    now += next.inSeconds * 1_000;
    job = next;
  }
}

describe("the next try", () => {
  it("comes within seconds, four times, after an unknown error", () => {
    expect(attempts("unknown").map(({ inSeconds }) => inSeconds)).toEqual([2, 4, 8, 16, null]);
  });

  it.each([0, 1])("comes at growing intervals, for a day, while something is unavailable (jitter %s)", (random) => {
    const waits = attempts("unavailable", random).flatMap(({ inSeconds }) => inSeconds ?? []);
    expect(waits[0]).toBeLessThanOrEqual(5);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBe(random === 1 ? 300 : 150);
    const total = waits.reduce((sum, wait) => sum + wait, 0) * 1_000;
    expect(total).toBeGreaterThanOrEqual(DAY_MS);
    expect(total).toBeLessThan(DAY_MS + 300_000);
  });

  it("never comes after a final failure", () => {
    expect(nextTry({ attempts: 1, payload: {} }, { cause: "final" }).inSeconds).toBeNull();
  });

  it("counts no attempt for jobs that failed together, and is made alone for a job that failed on its own", () => {
    expect(nextTry({ attempts: 2, payload: {} }, { cause: "unavailable" }, { shared: true }).attempts).toBe(1);
    expect(nextTry({ attempts: 9, payload: {} }, { cause: "unavailable" }).attempts).toBe(3);
  });

  it("starts with short intervals again in a new outage", () => {
    const { payload } = nextTry({ attempts: 1, payload: { unavailableSince: 1 } }, { cause: "unknown" });
    const next = nextTry({ attempts: 2, payload }, { cause: "unavailable" }, { now: DAY_MS * 2, random: 1 });
    expect(next.inSeconds).toBe(5);
  });

  it("continues an outage that a job of an earlier release recorded, and keeps the rest of its payload", () => {
    const payload = { awaySince: 1, stored: { chunkCount: 3 } };
    const next = nextTry({ attempts: 1, payload }, { cause: "unavailable" }, { now: 60_001, random: 1 });
    expect(next.inSeconds).toBe(60);
    expect(next.payload).toEqual({ unavailableSince: 1, stored: { chunkCount: 3 } });
    expect(nextTry({ attempts: 1, payload }, { cause: "unavailable" }, { now: DAY_MS + 1 }).inSeconds).toBeNull();
    const cleared = nextTry({ attempts: 1, payload: { awaySince: null } }, { cause: "unknown" });
    expect(cleared.payload).toEqual({});
  });
});
