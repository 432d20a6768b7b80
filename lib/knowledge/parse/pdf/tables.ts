import { type Line, lineStart, type Segment } from "./lines.ts";

/** Lines of a table without borders, found by the white columns between its cells. */
export interface FoundTable {
  rows: string[][];
  /** How many lines it takes. */
  length: number;
}

interface Column {
  left: number;
  right: number;
}

const ROWS_MIN = 2;
/** Within a table, lines closer than this (in font sizes) can be one wrapped row. */
const WRAP_PITCH_MAX = 1.6;
/** A gap of this many font sizes ends a table. */
const ROW_PITCH_MAX = 4;
/** Cells of prose length side by side are columns of text, not a table. */
const PROSE_CHARACTERS = 60;

/** The table that starts at a line, or null. */
export function findTable(lines: Line[], start: number): FoundTable | null {
  const first = lines[start];
  if (first === undefined || first.segments.length < 2) return null;
  const run = collectRun(lines, start);
  const many = run.filter((line) => line.segments.length > 1);
  if (many.length < ROWS_MIN) return null;
  const columns = findColumns(many.flatMap((line) => line.segments));
  if (columns.length < 2) return null;
  return { rows: readRows(run, columns), length: run.length };
}

/** Lines with several cells, and between them lines that only continue one of the cells. */
function collectRun(lines: Line[], start: number): Line[] {
  const run: Line[] = [];
  let length = 0;
  for (const line of lines.slice(start)) {
    const previous = run.at(-1);
    if (previous !== undefined && !isNear(previous, line)) break;
    run.push(line);
    if (line.segments.length > 1) length = run.length;
    else if (run.length - length > 2 || isProse(line)) break;
  }
  const end = run.at(length);
  const previous = run.at(length - 1);
  const wraps = end !== undefined && previous !== undefined && end.y - previous.y < WRAP_PITCH_MAX * end.size;
  return run.slice(
    0,
    wraps && lineStart(end) > lineStart(run[0] ?? end) + end.size && !isProse(end) ? length + 1 : length,
  );
}

function isNear(previous: Line, line: Line): boolean {
  const pitch = line.y - previous.y;
  return pitch > 0 && pitch < ROW_PITCH_MAX * Math.max(line.size, previous.size);
}

function isProse(line: Line): boolean {
  return line.segments.some(({ text }) => text.length > PROSE_CHARACTERS);
}

/** The stretches of the width that cells cover; white columns part them. */
function findColumns(cells: Segment[]): Column[] {
  const columns: Column[] = [];
  for (const cell of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last === undefined || cell.x > last.right + 1) columns.push({ left: cell.x, right: cell.right });
    else last.right = Math.max(last.right, cell.right);
  }
  return columns;
}

function readRows(run: Line[], columns: Column[]): string[][] {
  const rows: string[][] = [];
  const usual = usualPitch(run, columns);
  run.forEach((line, index) => {
    const previous = run[index - 1];
    const row = rows.at(-1);
    const pitch = previous === undefined ? Number.POSITIVE_INFINITY : line.y - previous.y;
    const wraps = pitch < WRAP_PITCH_MAX * line.size && pitch < 0.9 * usual;
    const target = row !== undefined && wraps ? row : columns.map(() => "");
    if (target !== row) rows.push(target);
    for (const cell of line.segments) {
      const column = columnOf(cell, columns);
      target[column] = target[column] ? `${target[column]} ${cell.text}` : cell.text;
    }
  });
  return rows;
}

/** The median distance between lines that begin in the first column: those begin a row. */
function usualPitch(run: Line[], columns: Column[]): number {
  const starts = run.filter((line) => columnOf(line.segments[0] ?? { x: 0, right: 0, text: "" }, columns) === 0);
  const pitches = starts.slice(1).map((line, index) => line.y - (starts[index]?.y ?? 0));
  return pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0;
}

function columnOf(cell: Segment, columns: Column[]): number {
  const middle = (cell.x + Math.min(cell.right, cell.x + 20)) / 2;
  const after = columns.findIndex((column) => column.right >= middle);
  return after === -1 ? columns.length - 1 : after;
}
