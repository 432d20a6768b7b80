import { describe, expect, it } from "vitest";
import { DAY_MS } from "../durations.ts";
import { type NextTry, nextTry } from "./next-try.ts";

/** Attempts that all fail alike, each when it is due. */
function attempts(cause: "away" | "unknown", random = 1): NextTry[] {
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
  it("comes soon and a few times after an error that nobody knows", () => {
    expect(attempts("unknown").map(({ inSeconds }) => inSeconds)).toEqual([2, 4, 8, 16, null]);
  });

  it.each([0, 1])("comes ever later, for a day, where something is away (jitter %s)", (random) => {
    const waits = attempts("away", random).flatMap(({ inSeconds }) => inSeconds ?? []);
    expect(waits[0]).toBeLessThanOrEqual(5);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(Math.max(...waits)).toBe(random === 1 ? 300 : 150);
    const total = waits.reduce((sum, wait) => sum + wait, 0) * 1_000;
    expect(total).toBeGreaterThanOrEqual(DAY_MS);
    expect(total).toBeLessThan(DAY_MS + 300_000);
  });

  it("does not come where the document itself is at fault", () => {
    expect(nextTry({ attempts: 1, payload: {} }, { cause: "final" }).inSeconds).toBeNull();
  });

  it("takes no attempt from those that met an outage together, and sets one apart that met it alone", () => {
    expect(nextTry({ attempts: 2, payload: {} }, { cause: "away" }, { shared: true }).attempts).toBe(1);
    expect(nextTry({ attempts: 9, payload: {} }, { cause: "away" }).attempts).toBe(3);
  });

  it("counts another outage from its own beginning", () => {
    const { payload } = nextTry({ attempts: 1, payload: { awaySince: 1 } }, { cause: "unknown" });
    expect(nextTry({ attempts: 2, payload }, { cause: "away" }, { now: DAY_MS * 2, random: 1 }).inSeconds).toBe(5);
  });
});
