import { DAY_MS, dayOf } from "../durations.ts";

const SECOND_MS = 1_000;

/** The expiry of a key that works until the end of a day in UTC. */
export function endOfDay(lastDay: string): Date {
  return new Date(`${lastDay}T23:59:59Z`);
}

/** The last day whose end is not later than an expiry. */
export function lastDayWithin(expiry: Date): string {
  return dayOf(new Date(expiry.getTime() - DAY_MS + SECOND_MS));
}
