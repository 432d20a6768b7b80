import type { TextItem } from "./items.ts";

/** A part of a run between gaps wider than a space, which may be a table cell. */
export interface Piece {
  x: number;
  right: number;
  text: string;
}

/** Text on one baseline without a wide gap. Coordinates in points, x from the left, y from the top. */
export interface Run {
  page: number;
  x: number;
  right: number;
  y: number;
  /** The largest font size of the run, in points. */
  size: number;
  /** True when all letters are bold. */
  bold: boolean;
  /** The heading level from a tagged PDF. */
  headingLevel: number | null;
  text: string;
  pieces: Piece[];
}

/** A wider gap, in font sizes, separates table cells. Gaps in justified text are smaller. */
const CELL_GAP = 1.2;
/** A gap that separates cells when all rows of a table have it. */
const PIECE_GAP = 0.5;
/** The largest gap between a bullet or number and its text. */
const LABEL_GAP = 5;
const SPACE_GAP = 0.12;
/** How far a letter may overlap the previous one, in font sizes. */
const OVERLAP = 0.6;
/** A superscript is smaller and higher than the text before it, in font sizes of that text. */
const RAISED_SIZE = 0.8;
const RAISED_BY = 0.1;
const LABEL = /^(?:[•●○◦▪■‣·–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?)$/;

/** Joins the items of a page into runs, in drawing order. */
export function runsFromItems(items: TextItem[], page: number, bold: Map<string, boolean>): Run[] {
  const drafts: Draft[] = [];
  for (const item of items) {
    const last = drafts.at(-1);
    if (last !== undefined && continues(last, item)) append(last, item);
    else drafts.push(startRun(item, last));
  }
  return drafts.map(({ fonts, isFirst: _, ...run }) => ({
    ...run,
    page,
    bold: fonts.size > 0 && [...fonts].every((font) => bold.get(font) === true),
  }));
}

interface Draft extends Omit<Run, "page" | "bold"> {
  fonts: Set<string>;
  /** True when the run is the first on its line, so that it may start with a bullet or number. */
  isFirst: boolean;
}

function continues(run: Draft, item: TextItem): boolean {
  if (Math.abs(run.y - item.y) >= 0.5 * Math.max(run.size, item.size)) return false;
  const gap = (item.x - run.right) / item.size;
  return gap >= -OVERLAP && gap <= (isLabel(run) ? LABEL_GAP : CELL_GAP);
}

function startRun({ x, y, width, size, text, font, headingLevel }: TextItem, last: Draft | undefined): Draft {
  const fonts = new Set(lettersOf(text) ? [font] : []);
  const right = x + width;
  const isFirst = last === undefined || Math.abs(last.y - y) >= 0.5 * size;
  return {
    x,
    y,
    right,
    size,
    text: text.trim(),
    headingLevel,
    fonts,
    isFirst,
    pieces: [{ x, right, text: text.trim() }],
  };
}

function append(run: Draft, item: TextItem): void {
  const gap = (item.x - run.right) / item.size;
  const right = Math.max(run.right, item.x + item.width);
  const spaced = item.spaced || gap > SPACE_GAP || isRaisedNumber(run, item);
  const piece = run.pieces.at(-1);
  if (piece === undefined || (gap > PIECE_GAP && !isLabel(run))) {
    run.pieces.push({ x: item.x, right, text: item.text.trim() });
  } else {
    piece.text = join(piece.text, item, spaced);
    piece.right = right;
  }
  run.text = join(run.text, item, spaced);
  run.right = right;
  // superscripts and subscripts must not move the line
  if (item.size > run.size) {
    run.y = item.y;
    run.size = item.size;
  }
  run.headingLevel ??= item.headingLevel;
  if (lettersOf(item.text)) run.fonts.add(item.font);
}

function join(text: string, item: TextItem, spaced: boolean): string {
  return spaced ? `${text.trimEnd()} ${item.text.trim()}` : text + item.text.trimEnd();
}

/** Whether an item is the number of a footnote, or an exponent, that would become part of the number before it. */
function isRaisedNumber(run: Draft, item: TextItem): boolean {
  const isRaised = item.size < RAISED_SIZE * run.size && run.y - item.y > RAISED_BY * run.size;
  return isRaised && /\d$/.test(run.text) && /^\d/.test(item.text);
}

function isLabel(run: Draft): boolean {
  return run.isFirst && LABEL.test(run.text);
}

function lettersOf(text: string): boolean {
  return /\p{L}/u.test(text);
}
