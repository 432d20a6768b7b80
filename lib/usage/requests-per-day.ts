import { counted } from "../counted.ts";

/**
 * The average number of requests a day, in words; null without requests.
 * @param days oldest first; the last one is today
 * @param since the day from which requests could come, unless some came before it
 */
export function requestsPerDay(days: readonly { day: string; requests: number }[], since: string): string | null {
  const used = days.slice(days.findIndex(({ day, requests }) => requests > 0 || day >= since));
  const sum = used.reduce((total, { requests }) => total + requests, 0);
  if (sum === 0) return null;
  if (used.length === 1) return "all of them today";
  const perDay = Math.round(sum / used.length);
  return perDay === 0 ? "less than one a day" : `${counted(perDay, "request")} a day`;
}
