import type { TextItem } from "./items.ts";

/** A stretch of text without a wide gap; coordinates in points, x from the left, y from the top. */
export interface Segment {
  x: number;
  right: number;
  text: string;
}

/** A line of print: one segment in prose, several where wide gaps part the cells of a table. */
export interface Line {
  page: number;
  y: number;
  /** The largest font size in the line, in points. */
  size: number;
  /** True when all of its letters are bold. */
  bold: boolean;
  /** The level that a tagged PDF gives it as a heading. */
  headingLevel: number | null;
  segments: Segment[];
}

/** A wider gap, in font sizes, parts cells; justified prose stays below it. */
const CELL_GAP = 1.2;
const SPACE_GAP = 0.12;
/** How many lines a table cell may reach back to the line that its row began with. */
const CELL_LINES_MAX = 8;
const LABEL = /^(?:[•●○◦▪■‣·–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d+(?:\.\d+)+\.?)$/;

export function lineText(line: Line): string {
  return line.segments.map(({ text }) => text).join(" ");
}

export function lineStart(line: Line): number {
  return line.segments[0]?.x ?? 0;
}

export function lineEnd(line: Line): number {
  return line.segments.at(-1)?.right ?? 0;
}

/** Puts the items of a page together to lines, in the order in which they are to be read. */
export function linesFromItems(items: TextItem[], page: number, bold: Map<string, boolean>): Line[] {
  const flows = [[]] as DraftLine[][];
  for (const item of items) {
    const flow = flows.at(-1) ?? [];
    const target = findLine(flow, item);
    if (target !== null) append(target, item);
    else if (isJumpBack(flow.at(-1), item)) flows.push([startLine(item)]);
    else flow.push(startLine(item));
  }
  return orderFlows(flows.filter((flow) => flow.length > 0)).flatMap((flow) =>
    flow.map((line) => finish(line, page, bold)),
  );
}

interface DraftLine {
  y: number;
  size: number;
  segments: Segment[];
  fonts: Set<string>;
  headingLevel: number | null;
}

/** The current line, or a line a little above when the item is a cell further right in the same row. */
function findLine(flow: DraftLine[], item: TextItem): DraftLine | null {
  const last = flow.at(-1);
  if (
    last !== undefined &&
    Math.abs(last.y - item.y) < 0.5 * Math.max(last.size, item.size) &&
    follows(last, item, 0.6)
  ) {
    return last;
  }
  const row = flow
    .slice(-CELL_LINES_MAX)
    .find((line) => Math.abs(line.y - item.y) < 0.2 * item.size && follows(line, item, -CELL_GAP));
  return row ?? null;
}

/** True when the item begins where the line ends, give or take `overlap` font sizes. */
function follows(line: DraftLine, item: TextItem, overlap: number): boolean {
  return item.x >= (line.segments.at(-1)?.right ?? 0) - overlap * item.size;
}

function isJumpBack(last: DraftLine | undefined, item: TextItem): boolean {
  return last !== undefined && item.y < last.y - 0.5 * item.size;
}

function startLine(item: TextItem): DraftLine {
  const line = { y: item.y, size: 0, segments: [], fonts: new Set<string>(), headingLevel: item.headingLevel };
  append(line, item);
  return line;
}

function append(line: DraftLine, item: TextItem): void {
  const last = line.segments.at(-1);
  const gap = last === undefined ? Number.POSITIVE_INFINITY : item.x - last.right;
  if (last === undefined || gap > CELL_GAP * item.size) {
    line.segments.push({ x: item.x, right: item.x + item.width, text: item.text.trim() });
  } else {
    const space = item.spaced || gap > SPACE_GAP * item.size;
    last.text += (space && !last.text.endsWith(" ") ? " " : "") + item.text.trimEnd();
    last.right = Math.max(last.right, item.x + item.width);
  }
  // A raised or lowered mark must not move the line that it stands in.
  if (item.size > line.size) {
    line.y = item.y;
    line.size = item.size;
  }
  line.headingLevel ??= item.headingLevel;
  if (/\p{L}/u.test(item.text)) line.fonts.add(item.font);
}

function finish(draft: DraftLine, page: number, bold: Map<string, boolean>): Line {
  const { y, size, segments, fonts, headingLevel } = draft;
  const isBold = fonts.size > 0 && [...fonts].every((font) => bold.get(font) === true);
  return { page, y, size, bold: isBold, headingLevel, segments: joinLabel(segments) };
}

/** A bullet or number stands apart from its text without being a cell. */
function joinLabel(segments: Segment[]): Segment[] {
  const [label, text, ...rest] = segments;
  if (label === undefined || text === undefined || !LABEL.test(label.text)) return segments;
  return [{ x: label.x, right: text.right, text: `${label.text} ${text.text}` }, ...rest];
}

/** What stands below another flow in the same column is read after it, whatever order it was drawn in. */
function orderFlows(flows: DraftLine[][]): DraftLine[][] {
  const boxes = flows.map((flow) => ({ flow, ...boxOf(flow) }));
  const ordered: typeof boxes = [];
  for (const next of boxes) {
    const place = ordered.findIndex(
      (other) => next.bottom <= other.top && next.left < other.right && other.left < next.right,
    );
    ordered.splice(place === -1 ? ordered.length : place, 0, next);
  }
  return ordered.map(({ flow }) => flow);
}

interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

function boxOf(flow: DraftLine[]): Box {
  const box = { top: Infinity, bottom: -Infinity, left: Infinity, right: -Infinity };
  for (const { y, size, segments } of flow) {
    box.top = Math.min(box.top, y - size / 2);
    box.bottom = Math.max(box.bottom, y);
    box.left = Math.min(box.left, segments[0]?.x ?? box.left);
    box.right = Math.max(box.right, segments.at(-1)?.right ?? box.right);
  }
  return box;
}
