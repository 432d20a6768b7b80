/** Far above the length of any list, and small enough to calculate row offsets. */
export const MAX_PAGE = 1_000_000;

/** Parses a page number of a list, from 1; other values become the nearest valid page. */
export function pageNumber(text: string): number {
  const page = Math.trunc(Number(text));
  return Number.isNaN(page) ? 1 : Math.min(Math.max(1, page), MAX_PAGE);
}

/** The number of pages of a list; an empty list has one. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/**
 * The page to show and the rows that it selects.
 * @param wanted from 1; a number past the last page means the last page
 */
export function pageWithin(wanted: number, { total, pageSize }: { total: number; pageSize: number }) {
  const page = Math.min(Math.max(1, wanted), pageCount(total, pageSize));
  return { page, limit: pageSize, offset: (page - 1) * pageSize };
}
