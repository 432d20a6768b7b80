export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day of an instant in UTC, as `2026-11-21`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
