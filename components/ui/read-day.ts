const YEAR_FIRST = /^([1-9]\d{3})[-/. ](\d{1,2})[-/. ](\d{1,2})$/;
const EIGHT_DIGITS = /^([1-9]\d{3})(\d{2})(\d{2})$/;
const DAY_FIRST = /^(\d{1,2})[-. ]{0,2}([a-z]{3,9})[-., ]{0,2}([1-9]\d{3})$/i;
const MONTH_FIRST = /^([a-z]{3,9})[. ]{0,2}(\d{1,2})[, ]{1,2}([1-9]\d{3})$/i;
const MONTHS = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/**
 * A day that a person typed, as `2026-01-31`; null if there is no such day. Reads "31 Jan 2026", "January 31, 2026" and
 * 2026-01-31, but not 03/04/2026, which is another day in another country.
 */
export function readDay(text: string): string | null {
  const [year, month, day] = partsOf(text.trim());
  if (!year || !month || !day) return null;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  // 30 February would become a day in March
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== iso ? null : iso;
}

function partsOf(text: string): (string | undefined)[] {
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? EIGHT_DIGITS.exec(text) ?? [];
  if (year) return [year, month, day];
  const [, ownDay, ownMonth = "", ownYear] = DAY_FIRST.exec(text) ?? [];
  if (ownYear) return [ownYear, monthNumber(ownMonth), ownDay];
  const [, firstMonth = "", secondDay, lastYear] = MONTH_FIRST.exec(text) ?? [];
  return [lastYear, monthNumber(firstMonth), secondDay];
}

function monthNumber(name: string): string | undefined {
  const index = MONTHS.findIndex((month) => month.startsWith(name.toLowerCase()));
  return name && index >= 0 ? String(index + 1) : undefined;
}
