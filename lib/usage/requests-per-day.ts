/** The average number of requests a day since the first one, in words. @param days oldest first; the last one is today */
export function requestsPerDay(days: readonly { requests: number }[]): string {
  const first = days.findIndex(({ requests }) => requests > 0);
  if (first === -1) return "none";
  if (first === days.length - 1) return "all of them today";
  const perDay = Math.round(days.reduce((sum, { requests }) => sum + requests, 0) / (days.length - first));
  return perDay === 0 ? "less than one a day" : `${perDay.toLocaleString("en")} a day`;
}
