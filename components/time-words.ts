const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };
const INSTANT: Intl.DateTimeFormatOptions = { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

/** "30 Jun 2027" for a day such as 2027-06-30. */
export function dayWords(day: string): string {
  return formatDay(day, DAY);
}

/** "Wednesday, 30 June 2027". */
export function dayLabel(day: string): string {
  return formatDay(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** "June 2027" for a day in it. */
export function monthLabel(day: string): string {
  return formatDay(day, { month: "long", year: "numeric" });
}

/**
 * "21 Nov 2026, 12:00 UTC".
 * @param timeZone the reader's own if undefined
 */
export function instantWords(instant: Date, timeZone: "UTC" | undefined): string {
  return instant.toLocaleString("en-GB", { ...INSTANT, timeZone });
}

function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
}
