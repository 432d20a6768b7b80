import type { Run } from "./runs.ts";

/** Maximum number of lines in a running header or footer. */
const MARGIN_LINES = 3;
const PAGES_SHARE_MIN = 0.5;
/** A larger number beside other text, such as an invoice number, is a page number only if the PDF has as many pages. */
const PAGE_NUMBER_MAX = 999;
const LONE_PAGE_NUMBER_MAX = 99_999;
/** Pages to compare numbers with. Facing pages may differ, so the page after the next one counts too. */
const NEIGHBOURS = [-2, -1, 1, 2];
const NUMBER = /\d+|\b[ivxlc]+\b/g;
const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

/** All text at one height near the top or bottom of a page, or one run of it. */
interface Line {
  /** From 0. */
  page: number;
  /** The height, and the text with "#" for each number. */
  pattern: string;
  numbers: string[];
  runs: Run[];
  isWhole: boolean;
}

/** Drops running headers, footers and page numbers: lines at the top or bottom that most pages repeat. */
export function dropRunningLines(pages: Run[][]): Run[][] {
  if (pages.length < 3) return pages;
  const keys = lineKeys(pages.flatMap(edgeLines), Math.max(PAGE_NUMBER_MAX, pages.length));
  const seen = new Map<string, Set<number>>();
  for (const [{ page }, key] of keys) seen.set(key, (seen.get(key) ?? new Set()).add(page));
  const often = Math.max(3, pages.length * PAGES_SHARE_MIN);
  const running = [...keys].filter(([, key]) => (seen.get(key)?.size ?? 0) >= often);
  const dropped = new Set(running.flatMap(([{ runs }]) => runs));
  return pages.map((runs) => runs.filter((run) => !dropped.has(run)));
}

function edgeLines(runs: Run[], page: number): Line[] {
  const rows = [...Map.groupBy(runs, ({ y }) => Math.round(y))].sort(([a], [b]) => a - b).map(([, row]) => row);
  const edge = new Set([...rows.slice(0, MARGIN_LINES), ...rows.slice(-MARGIN_LINES)]);
  return [...edge].flatMap((row) => {
    const parts = row.length === 1 ? [] : row.map((run) => lineOf([run], page, false));
    return [lineOf(row, page, true), ...parts];
  });
}

function lineOf(runs: Run[], page: number, isWhole: boolean): Line {
  const texts = runs.map(({ text }) => text.toLowerCase().replace(/\s+/g, " "));
  // in any order, because facing pages mirror their lines
  const text = texts.toSorted((a, b) => patternOf(a).localeCompare(patternOf(b))).join(" ");
  const height = Math.round((runs[0]?.y ?? 0) / 6);
  return { page, pattern: `${height} ${patternOf(text)}`, numbers: text.match(NUMBER) ?? [], runs, isWhole };
}

function patternOf(text: string): string {
  return text.replace(NUMBER, "#");
}

/** Equal for lines at the same height that differ only in the page number. A part of a line must have a page number. */
function lineKeys(lines: Line[], pageNumberMax: number): Map<Line, string> {
  const keys = new Map<Line, string>();
  const isPageNumber = findPageNumbers(lines, pageNumberMax);
  for (const line of lines) {
    const numbers = line.numbers.map((number, index) => (isPageNumber(line, index) ? "#" : number));
    if (line.isWhole || numbers.includes("#")) keys.set(line, `${line.pattern} ${numbers.join(" ")}`);
  }
  return keys;
}

/** Whether a number rises by one from page to page. Amounts, dates and totals of pages do not. */
function findPageNumbers(lines: Line[], pageNumberMax: number): (line: Line, index: number) => boolean {
  const keyOf = (pattern: string, index: number, page: number, value: number) => `${pattern} ${index} ${page} ${value}`;
  const known = new Set(
    lines.flatMap(({ pattern, page, numbers }) =>
      numbers.map((number, index) => keyOf(pattern, index, page, numericValue(number))),
    ),
  );
  return ({ pattern, page, numbers, isWhole }, index) => {
    const value = numericValue(numbers[index] ?? "");
    const isLone = isWhole && numbers.length === 1 && !/\p{L}/u.test(pattern);
    if (value > (isLone ? LONE_PAGE_NUMBER_MAX : pageNumberMax)) return false;
    return NEIGHBOURS.some((step) => known.has(keyOf(pattern, index, page + step, value + step)));
  };
}

function numericValue(number: string): number {
  if (/^\d/.test(number)) return Number(number);
  const digits = Array.from(number, (letter) => ROMAN[letter] ?? 0);
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0);
}
