import type { Stopwatch } from "./stopwatch.ts";

/** What was unavailable: named in a header and in the log. */
export type Degraded = "embedding" | "generation" | "rerank";

/** What every stage of a retrieval gets. */
export interface RankContext {
  watch: Stopwatch;
  /** Collects what was unavailable. */
  degraded: Degraded[];
  signal?: AbortSignal | undefined;
}
