/** The filter of the request log, stored in the page's URL. Pure; the browser uses it too. */
export const USAGE_DAYS = [7, 30, 90] as const;
export const OUTCOMES = ["errors", "unanswered", "degraded"] as const;
/** Selects playground runs, in place of a key's id. */
export const PLAYGROUND = "playground";
export const REQUESTS_PER_PAGE = 50;

export type Outcome = (typeof OUTCOMES)[number];

export interface UsageFilter {
  /** Number of days in UTC, including today. */
  days: number;
  /** A key's id, or `playground`; null: all. */
  sender: string | null;
}

export interface LogFilter extends UsageFilter {
  /** Null: all. */
  outcome: Outcome | null;
  /** Words of a question; or a request id or its beginning, to which the other filters do not apply. */
  search: string;
}
