/** Which requests of the log are looked at; the address of the page holds it. Pure, for the browser too. */
export const USAGE_DAYS = [7, 30, 90] as const;
export const OUTCOMES = ["errors", "unanswered", "degraded"] as const;
/** In the place of a key's id: what members tried out. */
export const PLAYGROUND = "playground";
export const REQUESTS_PER_PAGE = 50;

export type Outcome = (typeof OUTCOMES)[number];

export interface UsageFilter {
  /** Days of UTC, today among them. */
  days: number;
  /** A key's id, or `playground`; null: all. */
  source: string | null;
}

export interface LogFilter extends UsageFilter {
  /** Null: all. */
  outcome: Outcome | null;
  /** A request's id or how it begins, which finds it whatever else is chosen; or words of a question. */
  search: string;
}
