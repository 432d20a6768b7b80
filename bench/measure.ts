/** Enough for the compiler of Node to have compiled what a request runs. */
export const WARM_UP_REQUESTS = 3_000;

/** Milliseconds at the 50th, 95th and 99th percentile, and items per second. */
export interface Figures {
  p50: number;
  p95: number;
  p99: number;
  perSecond: number;
}

/** Runs every item through `work`, `clients` at a time. */
export async function measure<Item>(
  items: Item[],
  clients: number,
  work: (item: Item) => Promise<void>,
): Promise<Figures> {
  const times: number[] = [];
  const queue = items.values();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const item of queue) {
        const since = performance.now();
        await work(item);
        times.push(performance.now() - since);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  return { ...percentiles(times), perSecond: round(items.length / seconds) };
}

/**
 * Like `measure`, with the milliseconds of processor time per item.
 * @param usedMs processor time that the measured processes have used so far
 */
export async function measureWithCpu<Item>(
  items: Item[],
  clients: number,
  work: (item: Item) => Promise<void>,
  usedMs: () => number | Promise<number>,
): Promise<Figures & { cpuMs: number }> {
  const before = await usedMs();
  const figures = await measure(items, clients, work);
  return { ...figures, cpuMs: round(((await usedMs()) - before) / items.length) };
}

export function percentiles(times: number[]): Omit<Figures, "perSecond"> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
