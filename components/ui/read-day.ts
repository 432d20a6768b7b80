const DAY = /^(\d{4})[-/. ]?(\d{1,2})[-/. ]?(\d{1,2})$/;

/** A day that a person typed, year first, as `2026-01-31`; null if there is no such day. */
export function readDay(text: string): string | null {
  const [, year, month, day] = DAY.exec(text.trim()) ?? [];
  if (!year || !month || !day) return null;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  // 30 February would become a day in March
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== iso ? null : iso;
}
