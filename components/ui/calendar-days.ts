import { DAY_MS, dayOf } from "@/lib/durations.ts";

// years of four digits, as a day is written
const FIRST_DAY = "1000-01-01";
const LAST_DAY = "9999-12-31";

/** The first and the last allowed day, as `2026-01-31`. */
export interface DayRange {
  min?: string | undefined;
  max?: string | undefined;
}

/** The weeks of a day's month, from Monday on; null for the days of other months. */
export function weeksOf(day: string): (string | null)[][] {
  const month = day.slice(0, 7);
  const days: (string | null)[] = Array.from({ length: weekdayOf(`${month}-01`) }, () => null);
  for (let number = 1; number <= lastOf(month).getUTCDate(); number++) {
    days.push(`${month}-${String(number).padStart(2, "0")}`);
  }
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** The day to which a key moves in a calendar; null for other keys. */
export function dayAfterKey(day: string, { key, shiftKey }: { key: string; shiftKey: boolean }): string | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -7);
    case "ArrowDown":
      return addDays(day, 7);
    case "Home":
      return addDays(day, -weekdayOf(day));
    case "End":
      return addDays(day, 6 - weekdayOf(day));
    case "PageUp":
      return addMonths(day, shiftKey ? -12 : -1);
    case "PageDown":
      return addMonths(day, shiftKey ? 12 : 1);
    default:
      return null;
  }
}

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(day: string, months: number): string {
  const instant = lastOf(day.slice(0, 7), months);
  instant.setUTCDate(Math.min(Number(day.slice(8)), instant.getUTCDate()));
  return dayAt(instant.getTime());
}

/** The closest allowed day. */
export function clampDay(day: string, { min, max }: DayRange): string {
  if (min && day < min) return min;
  return max && day > max ? max : day;
}

function addDays(day: string, days: number): string {
  return dayAt(instantOf(day) + days * DAY_MS);
}

/** The last day of a month such as `2026-01`, or of the one some months later. */
function lastOf(month: string, later = 0): Date {
  const instant = new Date(instantOf(`${month}-01`));
  instant.setUTCMonth(instant.getUTCMonth() + later + 1, 0);
  return instant;
}

function dayAt(instant: number): string {
  return dayOf(new Date(Math.min(Math.max(instant, instantOf(FIRST_DAY)), instantOf(LAST_DAY))));
}

/** 0 for Monday. */
function weekdayOf(day: string): number {
  return (new Date(instantOf(day)).getUTCDay() + 6) % 7;
}

function instantOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
