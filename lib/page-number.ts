/** Far above any list, and its rows can still be counted. */
export const MAX_PAGE = 1_000_000;

/** A page of a list as an address names it, from 1; anything else is the nearest page there could be. */
export function pageNumber(text: string): number {
  const page = Math.trunc(Number(text));
  return Number.isNaN(page) ? 1 : Math.min(Math.max(1, page), MAX_PAGE);
}
