import { ApiError, ConnectionError, type RagstoneError } from "./errors.ts";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
/** With these statuses the server has done nothing yet. */
const UNSTARTED_STATUSES = [408, 429];

/**
 * Whether a request may succeed when it is sent again.
 * @param isRepeatable whether sending the request twice does the same as sending it once
 */
export function isRetryable(error: RagstoneError, isRepeatable: boolean): boolean {
  if (error instanceof ApiError) {
    return UNSTARTED_STATUSES.includes(error.status) || (isRepeatable && error.status >= 500);
  }
  return isRepeatable && error instanceof ConnectionError;
}

/** Milliseconds to wait before a retry: what the server asks for, else 0.5 to 8 s with jitter. @param retries from 0 */
export function retryPauseMs(error: RagstoneError, retries: number): number {
  const asked = error instanceof ApiError ? retryAfterMs(error.headers) : null;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS);
  return asked ?? Math.max(FIRST_PAUSE_MS, pause * (0.5 + Math.random() / 2));
}

/** `Retry-After` in seconds or as a date; null without it. */
function retryAfterMs(headers: Headers): number | null {
  const given = headers.get("retry-after")?.trim();
  if (!given) return null;
  if (/^\d+$/.test(given)) return Number(given) * 1_000;
  const until = Date.parse(given);
  return Number.isNaN(until) ? null : Math.max(0, until - Date.now());
}
