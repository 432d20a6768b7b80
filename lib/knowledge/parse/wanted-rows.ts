import { counted } from "../../counted.ts";
import { UnreadableFile } from "./document.ts";
import type { Sheet } from "./sheet.ts";

/** Which rows of a CSV file or workbook are read. */
export interface WantedRows {
  /** The columns that a sheet must have, in lower case. Of any other sheet, only the first row is read. */
  columns: readonly string[];
  /** Rows below the first ones, of all sheets together. A file with more is refused. */
  rowsMax: number;
  /** How many sheets are read; all by default. */
  sheetsMax?: number;
}

/** The file has more rows than the caller wants. */
export class TooManyRows extends UnreadableFile {}

/** Leaves out the other rows. @throws {TooManyRows} */
export function wantedRows(sheets: Sheet[], { columns, rowsMax, sheetsMax }: WantedRows): Sheet[] {
  let left = rowsMax;
  return sheets.slice(0, sheetsMax).map(({ name, rows }) => {
    if (!hasColumns(rows[0]?.cells, columns)) return { name, rows: rows.slice(0, 1) };
    left -= rows.length - 1;
    if (left < 0)
      throw new TooManyRows(`The file has more than ${counted(rowsMax, "row")}. Split it into smaller files.`);
    return { name, rows };
  });
}

/** Whether the first row of a sheet names these columns, which are in lower case. */
export function hasColumns(header: string[] | undefined, columns: readonly string[]): boolean {
  const places = columnPlaces(header ?? []);
  return columns.every((column) => places.has(column));
}

/** The places of the columns by their names in lower case. Of two columns with one name, the first counts. */
export function columnPlaces(header: string[]): Map<string, number> {
  return new Map(header.map((cell, place) => [cell.trim().toLowerCase(), place] as const).reverse());
}
