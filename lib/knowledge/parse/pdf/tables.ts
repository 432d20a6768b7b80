import { type Box, textOf } from "./boxes.ts";
import type { Piece } from "./runs.ts";

/** A table without borders, found by the white space between its columns. */
interface FoundTable {
  rows: string[][];
  /** Number of bands in the table. */
  length: number;
}

interface Column {
  left: number;
  right: number;
}

const ROWS_MIN = 2;
/** Rows with a larger distance than this, in font sizes, belong to different tables. */
const ROW_GAP_MAX = 3;
/** Lines closer than this, in font sizes, may be one row whose cells wrap. */
const WRAP_PITCH_MAX = 1.6;
/** Boxes with at least this many lines and characters per line are columns of text, not cells. */
const PROSE_LINES = 4;
const PROSE_CHARACTERS = 25;

/** The table that starts at a band, or null. */
export function findTable(bands: Box[][], start: number): FoundTable | null {
  const run = collectBands(bands, start);
  if (run.filter((band) => band.length > 1).length < ROWS_MIN) return null;
  const columns = findColumns(run.flat().flatMap(piecesOf));
  return columns.length < 2 ? null : { rows: readRows(run, columns), length: run.length };
}

/** Collects rows of several cells, and single cells between them that fit under one column. */
function collectBands(bands: Box[][], start: number): Box[][] {
  const run: Box[][] = [];
  let length = 0;
  for (let index = start; index < bands.length; index++) {
    const band = bands[index] ?? [];
    const previous = run.at(-1);
    if (previous !== undefined && !isNear(previous, band)) break;
    const isRow = band.length > 1 ? !band.every(isProse) : keepsColumns(run, band);
    if (!isRow && !fitsUnder(run, band)) break;
    run.push(band);
    if (isRow) length = run.length;
  }
  return run.slice(0, length);
}

/** Whether a line whose cells are too close to separate on their own fits the columns of the rows above. */
function keepsColumns(run: Box[][], band: Box[]): boolean {
  const pieces = band.flatMap(piecesOf);
  if (run.length === 0 || pieces.length < 2) return false;
  const above = run.flat().flatMap(piecesOf);
  const columns = findColumns(above).length;
  return columns > 1 && findColumns([...above, ...pieces]).length >= columns;
}

function isNear(previous: Box[], band: Box[]): boolean {
  const gap = topOf(band) - previous.reduce((most, { bottom }) => Math.max(most, bottom), 0);
  const size = band[0]?.runs[0]?.size ?? 0;
  return gap > -size && gap < ROW_GAP_MAX * size;
}

/** Whether a single cell is below exactly one cell of the first row. */
function fitsUnder(run: Box[][], [box]: Box[]): boolean {
  const cells = run[0] ?? [];
  const above = cells.filter((cell) => box !== undefined && cell.x < box.right && box.x < cell.right);
  return cells.length > 1 && above.length === 1;
}

function isProse(box: Box): boolean {
  return box.runs.length >= PROSE_LINES && textOf(box).length >= box.runs.length * PROSE_CHARACTERS;
}

/** The horizontal ranges that cells cover, separated by white space. */
function findColumns(pieces: Piece[]): Column[] {
  const columns: Column[] = [];
  for (const { x, right } of pieces.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1);
    if (last === undefined || x > last.right + 1) columns.push({ left: x, right });
    else last.right = Math.max(last.right, right);
  }
  return columns;
}

function piecesOf(box: Box): Piece[] {
  return box.runs.flatMap(({ pieces }) => pieces);
}

function readRows(bands: Box[][], columns: Column[]): string[][] {
  const rows: string[][] = [];
  const usual = usualPitch(bands, columns);
  bands.forEach((band, index) => {
    const previous = bands[index - 1];
    const row = rows.at(-1);
    const pitch = previous === undefined ? Number.POSITIVE_INFINITY : topOf(band) - topOf(previous);
    const wraps = pitch < WRAP_PITCH_MAX * (band[0]?.runs[0]?.size ?? 0) && pitch < 0.9 * usual;
    const target = row !== undefined && wraps ? row : columns.map(() => "");
    if (target !== row) rows.push(target);
    for (const piece of band.flatMap(piecesOf)) {
      const column = columnOf(piece, columns);
      target[column] = target[column] ? `${target[column]} ${piece.text}` : piece.text;
    }
  });
  return rows;
}

/** The median distance between bands with a cell in the first column, because these start a row. */
function usualPitch(bands: Box[][], columns: Column[]): number {
  const starts = bands.filter((band) => band.some((cell) => columnOf(cell, columns) === 0)).map(topOf);
  const pitches = starts.slice(1).map((top, index) => top - (starts[index] ?? 0));
  return pitches.toSorted((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0;
}

function topOf(band: Box[]): number {
  return band.reduce((least, { top }) => Math.min(least, top), Number.POSITIVE_INFINITY);
}

function columnOf(cell: { x: number }, columns: Column[]): number {
  const after = columns.findIndex((column) => column.right > cell.x);
  return after === -1 ? columns.length - 1 : after;
}
