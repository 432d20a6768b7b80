import { z } from "zod";

const FIRST_INSTANT = Date.parse("0001-01-01");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

const NO_DAY = "must be a date between the years 1 and 9999, such as 2027-06-30";
const NO_INSTANT =
  "must be an ISO 8601 date and time between the years 1 and 9999, for example 2030-01-31T12:00:00Z; an offset must be below 16 hours";

/** Whether milliseconds since 1970 are in a year of four digits, which PostgreSQL reads as JavaScript writes it. */
export function isStorableInstant(ms: number): boolean {
  return ms >= FIRST_INSTANT && ms <= LAST_INSTANT;
}

/** A day from a caller, as text that PostgreSQL reads. */
export const dayInput = z.iso.date(NO_DAY).refine(hasYear, NO_DAY);

/**
 * A point in time from a caller, as text that PostgreSQL reads, with all of its decimals. The length is limited because
 * the standard allows any number of decimals.
 */
export const instantTextInput = z.iso
  .datetime({ offset: true, error: NO_INSTANT })
  .max(40, NO_INSTANT)
  .refine((text) => hasYear(text) && hasSmallOffset(text), NO_INSTANT);

/** A point in time from a caller: a date, or ISO text. */
export const instantInput = z
  .union([z.date(), instantTextInput, dayInput], "must be an ISO date, for example 2030-01-31 or 2030-01-31T12:00:00Z")
  .transform((value) => new Date(value))
  .refine((date) => isStorableInstant(date.getTime()), "must be between the years 1 and 9999");

/** PostgreSQL has no year 0. */
function hasYear(text: string): boolean {
  return !text.startsWith("0000");
}

/** PostgreSQL refuses offsets from 16 hours on. */
function hasSmallOffset(text: string): boolean {
  return /(?:Z|[+-](?:0\d|1[0-5]):\d\d)$/.test(text);
}
