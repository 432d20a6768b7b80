/** Sums over requests. Times are in milliseconds, of successful requests only; null when there are none. */
export interface Figures {
  requests: number;
  errors: number;
  answered: number;
  unanswered: number;
  p50: number | null;
  p95: number | null;
}

/** Requests that are alike. */
export interface RequestGroup {
  failed: boolean;
  answered: boolean;
  unanswered: boolean;
  /** Milliseconds of each; null when they failed. */
  ms: number | null;
  requests: number;
}

export const NONE: Figures = { requests: 0, errors: 0, answered: 0, unanswered: 0, p50: null, p95: null };

/** About how much memory a key takes, and each of its times. */
const BYTES = { key: 300, time: 40 };

/** Sums of requests by a key, such as their day. */
export interface Sums {
  add(key: string, group: RequestGroup): void;
  figures(): Map<string, Figures>;
  bytes(): number;
}

interface Sum extends Omit<Figures, "p50" | "p95"> {
  /** Successful requests by their milliseconds. */
  times: Map<number, number>;
  /** Null after an addition. */
  figures: Figures | null;
}

export function sumRequests(): Sums {
  const sums = new Map<string, Sum>();
  return {
    add(key, { requests, failed, answered, unanswered, ms }) {
      const sum = sums.get(key) ?? {
        requests: 0,
        errors: 0,
        answered: 0,
        unanswered: 0,
        times: new Map(),
        figures: null,
      };
      sums.set(key, sum);
      sum.figures = null;
      sum.requests += requests;
      if (failed) sum.errors += requests;
      if (answered) sum.answered += requests;
      if (unanswered) sum.unanswered += requests;
      if (ms !== null) sum.times.set(ms, (sum.times.get(ms) ?? 0) + requests);
    },
    figures() {
      for (const sum of sums.values()) sum.figures ??= figuresOf(sum);
      return new Map([...sums].map(([key, { figures }]) => [key, figures ?? NONE]));
    },
    bytes: () => [...sums.values()].reduce((sum, { times }) => sum + BYTES.key + BYTES.time * times.size, 0),
  };
}

function figuresOf({ times, figures: _, ...sums }: Sum): Figures {
  const sorted = [...times].sort(([a], [b]) => a - b);
  return { ...sums, p50: interpolatedPercentile(sorted, 0.5), p95: interpolatedPercentile(sorted, 0.95) };
}

/** Like PostgreSQL's `percentile_cont`: interpolates between the two nearest values. */
function interpolatedPercentile(
  times: readonly (readonly [ms: number, count: number])[],
  share: number,
): number | null {
  const total = times.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const position = share * (total - 1);
  const [low, high] = [valueAt(times, Math.floor(position)), valueAt(times, Math.ceil(position))];
  return low + (high - low) * (position - Math.floor(position));
}

function valueAt(times: readonly (readonly [ms: number, count: number])[], position: number): number {
  let passed = 0;
  for (const [ms, count] of times) {
    passed += count;
    if (position < passed) return ms;
  }
  return 0;
}
