import type { Lane } from "./job.ts";

/** How long a company has a lane before the next company's turn. */
const TURN_MS = { quick: 3_000, slow: 10_000 };

/** One company's time in a lane. */
export interface Turn {
  /** Aborted when the worker is told to stop or has lost its lease. */
  signal: AbortSignal;
  /** Whether the time is up: a handler starts nothing new, and leaves the rest to the next turn. */
  hasEnded(): boolean;
}

export function startTurn(lane: Lane, signal: AbortSignal): Turn {
  const end = performance.now() + TURN_MS[lane];
  return { signal, hasEnded: () => signal.aborted || performance.now() > end };
}
