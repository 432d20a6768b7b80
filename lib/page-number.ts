/** Far above the length of any list, and small enough to calculate row offsets. */
export const MAX_PAGE = 1_000_000;

/** Parses a page number of a list, from 1; other values become the nearest valid page. */
export function pageNumber(text: string): number {
  const page = Math.trunc(Number(text));
  return Number.isNaN(page) ? 1 : Math.min(Math.max(1, page), MAX_PAGE);
}
