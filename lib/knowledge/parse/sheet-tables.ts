import type { Block } from "./document.ts";
import { isHeaderRow, isNumeric, mergeHeader, splitHeader } from "./table.ts";

/** A row that is not blank, with its number. */
interface Row {
  row: number;
  cells: string[];
}

/** Where a row stands in a sheet. */
interface Place {
  /** Whether a blank row is above. */
  isAfterGap: boolean;
  /** Whether rows of the table are above, and not only its header. */
  hasData: boolean;
}

const HEADER_ROWS_MAX = 3;
const TITLE_LINES_MAX = 3;

/** The tables of a sheet, one below the other. Title lines above a table and notes below it become paragraphs. */
export function sheetBlocks(rows: Row[]): Block[] {
  return splitTables(rows).flatMap((table) => tableBlocks(table.map(({ cells }) => cells)));
}

/** Whether a row repeats the header, which is not data. */
export function repeatsHeader(row: string[], header: string[]): boolean {
  return distinct(header) > 1 && distinct(row) > 1 && sharedCells(row, header) === filled(row);
}

/**
 * Splits the rows of a sheet where another header appears, with the title lines above it, and before notes at the end.
 */
function splitTables(rows: Row[]): Row[][] {
  const tables: Row[][] = [];
  let table: Row[] = [];
  let header: string[] = [];
  rows.forEach((row, index) => {
    const upcoming = rows.slice(index, index + TITLE_LINES_MAX + 2);
    const above = rows[index - 1];
    const isAfterGap = row.row > (above?.row ?? row.row) + 1;
    const continuesHeader = !isAfterGap && above?.cells === header && isUpperHeader(above.cells, row.cells);
    const hasData = header.length > 0 && above?.cells !== header;
    if (header.length > 0 && !continuesHeader && startsTable(upcoming, header, { isAfterGap, hasData })) {
      tables.push(table);
      table = [];
      header = [];
    }
    table.push(row);
    if (continuesHeader || (header.length === 0 && !isTitleLine(row.cells))) header = row.cells;
  });
  return [...tables, table];
}

/** Whether a row of merged cells stands above a row of names. */
function isUpperHeader(row: string[], below: string[]): boolean {
  return coversColumns(row) && filled(below) > 1 && ![...row, ...below].some(isNumeric);
}

/**
 * Whether another table starts here. Without a blank row above, its header must share a name with the header of the
 * table so far, or be wider, because a row of words may as well be data.
 * @param header the names of the table so far, the last row of its header
 */
function startsTable(upcoming: Row[], header: string[], { isAfterGap, hasData }: Place): boolean {
  const at = upcoming.findIndex(({ cells }) => !isTitleLine(cells));
  if (at === -1) return isAfterGap;
  const [names = [], below = [], next = []] = upcoming.slice(at).map(({ cells }) => cells);
  if (isUpperHeader(names, below)) return sharedCells(below, header) > 0 || (isAfterGap && next.some(isNumeric));
  if (!isHeaderRow(names)) return false;
  // directly below the data, a repeated header continues the table
  if (sharedCells(names, header) > 0) return at > 0 || isAfterGap || !repeatsHeader(names, header);
  if (!isAfterGap) return hasData && Math.min(filled(names), filled(below)) > filled(header) && below.some(isNumeric);
  if (filled(names) < 3) return false;
  if (filled(names) !== filled(header) || below.some(isNumeric)) return true;
  const others = upcoming.slice(at + 1);
  return names.some((name, column) => {
    return isNameAbove(
      name,
      others.map(({ cells }) => cells[column] ?? ""),
    );
  });
}

/** Whether a text without a digit stands above texts that all have one, such as serial numbers. */
function isNameAbove(name: string, below: string[]): boolean {
  return name !== "" && !/\d/.test(name) && below.length > 0 && below.every((cell) => /\d/.test(cell));
}

function tableBlocks(rows: string[][]): Block[] {
  const start = rows.findIndex((row) => !isTitleLine(row));
  const above = rows.slice(0, start === -1 ? rows.length : start);
  const lines = above.map((row) => row.find((cell) => cell !== "") ?? "");
  const before: Block[] = lines.length === 0 ? [] : [{ kind: "paragraph", text: lines.join("\n") }];
  if (start === -1) return before;
  const { header, rows: data } = readHeader(rows.slice(start));
  return [...before, { kind: "table", header, rows: data.filter((row) => !repeatsHeader(row, header)) }];
}

/**
 * Rows of names above the first row with a number are the header when each has fewer names than the last of them, or a
 * name that covers several columns.
 */
function readHeader(rows: string[][]): { header: string[]; rows: string[][] } {
  const height = rows.findIndex((row) => row.some(isNumeric));
  const names = rows.slice(0, Math.max(height, 0));
  const last = names.at(-1) ?? [];
  const upper = names.slice(0, -1);
  const nested = upper.every(
    (row) => distinct(row) < distinct(last) || filled(row) < filled(last) || coversColumns(row),
  );
  if (upper.length === 0 || !nested || height > HEADER_ROWS_MAX) return splitHeader(rows);
  return { header: mergeHeader([...upper.map((row) => spreadLabels(row, last)), last]), rows: rows.slice(height) };
}

/**
 * Labels above the names, such as years, apply to several names. A single one, such as a year at the right edge, applies
 * to all columns but the first. Several apply to the names up to the next label, in each group of columns.
 */
function spreadLabels(row: string[], names: string[]): string[] {
  const labels = row.flatMap((cell, column) => (cell !== "" && column > 0 ? column : []));
  // merged cells already name the columns that they cover
  if (labels.some((column) => !names[column]) || coversColumns(row)) return row;
  const groups = columnGroups(names);
  const spread = [...row];
  for (const group of labels.length === 1 ? [groups.flat()] : groups) {
    const labelled = group.filter((column) => row[column]);
    const [first] = labelled;
    // labels at the right edge of their columns are not recognised
    if (first === undefined || (labelled.length > 1 && first !== group[0])) continue;
    let label = row[first] ?? "";
    for (const column of group) {
      label = row[column] || label;
      spread[column] = label;
    }
  }
  return spread;
}

/** The columns with names but the first, in groups that columns without a name separate. */
function columnGroups(names: string[]): number[][] {
  const groups: number[][] = [[]];
  names.forEach((name, column) => {
    if (name === "") groups.push([]);
    else if (column > 0) groups.at(-1)?.push(column);
  });
  return groups;
}

/** Whether neighbouring columns have the same text, as below a merged cell. */
function coversColumns(row: string[]): boolean {
  return row.some((cell, column) => cell !== "" && cell === row[column + 1]);
}

/** A single text. One that covers several columns, but not the first, is the upper part of a header. */
function isTitleLine(row: string[]): boolean {
  return distinct(row) <= 1 && (filled(row) === 1 || row[0] !== "");
}

function sharedCells(row: string[], header: string[]): number {
  return row.filter((cell, column) => cell !== "" && cell.toLowerCase() === header[column]?.toLowerCase()).length;
}

function distinct(row: string[]): number {
  return new Set(row.filter((cell) => cell !== "")).size;
}

function filled(row: string[]): number {
  return row.filter((cell) => cell !== "").length;
}
