import { setInterval as each, setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { ProviderError } from "./provider-error.ts";
import { budgets, createResilience } from "./resilience.ts";

const OUTAGE_MS = 2_000;
const EVERY_MS = 20;

type Attempt = (signal: AbortSignal) => Promise<string>;

const refuse: Attempt = () => Promise.reject(new ProviderError("network", "down"));
const failSlowly: Attempt = () => sleep(100).then(() => Promise.reject(new ProviderError("fault", "down")));
const hang: Attempt = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test.concurrent.each([
  ["refuses", refuse],
  ["fails slowly", failSlowly],
  ["hangs", hang],
])(
  "50 questions a second cost at most 20 calls and then less than one a second, when the provider %s",
  async (_, down) => {
    const resilience = createResilience(budgets.query);
    const attempt = vi.fn<Attempt>(down);
    const asked: Promise<unknown>[] = [];
    let isAnswered = false;
    const answered = () => {
      isAnswered = true;
    };
    async function askUntil(isOver: () => boolean): Promise<number> {
      const begun = performance.now();
      for await (const _ of each(EVERY_MS)) {
        if (isOver()) break;
        asked.push(resilience.run(attempt).then(answered, () => undefined));
      }
      return performance.now() - begun;
    }

    await askUntil(() => resilience.open);
    const untilOpen = attempt.mock.calls.length;
    expect(untilOpen).toBeLessThanOrEqual(20);
    const begun = performance.now();
    const outageMs = await askUntil(() => performance.now() - begun > OUTAGE_MS);
    const probes = Math.ceil(outageMs / budgets.query.probeAfterMs);
    expect(attempt.mock.calls.length - untilOpen).toBeLessThanOrEqual(probes);
    attempt.mockResolvedValue("back");
    expect(await askUntil(() => isAnswered)).toBeLessThan(10_000);
    await Promise.all(asked);
  },
);
