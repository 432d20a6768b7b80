import { type CellObject, read, type WorkSheet } from "@e965/xlsx";
import { UnreadableFile } from "./document.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { isSensibleTitle } from "./title.ts";

/** `place` counts all sheets of the workbook, from 0. */
export interface WorkbookSheet extends Sheet {
  place: number;
}

export interface Workbook {
  title: string | null;
  /** The visible ones. */
  sheets: WorkbookSheet[];
  /** How many hidden sheets have cells. */
  hiddenSheets: number;
}

const MERGED_CELLS_MAX = 100_000;
/** Excel's limits. A file may declare cells far beyond them. */
export const ROWS_MAX = 1_048_576;
export const COLUMNS_MAX = 16_384;
/** Limit for the cells up to the last one of each row, including empty cells, when most of them are empty. */
const SPREAD_CELLS_MAX = 5_000_000;
const SPREAD_SHARE = 20;
/** Excel keeps this many digits of a number. */
const EXACT_DIGITS = 15;

/** Excel shows its default date format as the reader's locale writes dates, the library as month/day/year. */
const DEFAULT_DATES = "yyyy-mm-dd";

/** Reads the visible sheets of a workbook that `inspectZip` has accepted. Cells are read as displayed. */
export function readWorkbook(bytes: Uint8Array): Workbook {
  const book = read(bytes, {
    type: "array",
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellNF: true,
    dateNF: DEFAULT_DATES,
  });
  const isHidden = (place: number) => Boolean(book.Workbook?.Sheets?.[place]?.Hidden);
  const sheets = book.SheetNames.flatMap((name, place) => {
    const sheet = book.Sheets[name];
    return sheet === undefined || isHidden(place) ? [] : [{ name, place, rows: readRows(name, sheet) }];
  });
  refuseEmpty(sheets);
  const hidden = book.SheetNames.filter((name, place) => isHidden(place) && book.Sheets[name]?.["!ref"] !== undefined);
  const title = book.Props?.Title?.trim() ?? "";
  return { title: isSensibleTitle(title) ? title : null, sheets, hiddenSheets: hidden.length };
}

/** @throws {UnreadableFile} */
export function refuseEmpty(sheets: Sheet[]): void {
  if (sheets.some(({ rows }) => rows.length > 0)) return;
  throw new UnreadableFile(
    "The workbook shows no text. If its sheets, rows or columns are hidden, show them and add the file again.",
  );
}

function readRows(name: string, sheet: WorkSheet): SheetRow[] {
  const data = sheet["!data"] ?? [];
  data.length = Math.min(data.length, ROWS_MAX);
  for (const line of data) if (line) line.length = Math.min(line.length, COLUMNS_MAX);
  refuseSpread(name, data);
  const grid = data.map((line) => (line ?? []).map(shownText));
  fillMerged(grid, sheet);
  return grid.flatMap((line, index) => {
    const cells = Array.from(line ?? [], (cell) => (cell ?? "").trim());
    return cells.some((cell) => cell !== "") ? [{ row: index + 1, cells }] : [];
  });
}

/** The text of a cell as displayed, but all digits of a long number, such as a phone number or a barcode. */
function shownText(cell: CellObject | undefined): string {
  const shown = cell?.w ?? String(cell?.v ?? "");
  const isShortened = typeof cell?.v === "number" && (cell.z ?? "General") === "General" && /E[+-]\d+$/.test(shown);
  if (!isShortened) return shown;
  const digits = String(Number(Number(cell.v).toPrecision(EXACT_DIGITS)));
  return digits.includes("e") ? shown : digits;
}

/** A value in the last column of each row would create millions of empty cells. */
function refuseSpread(name: string, data: CellObject[][]): void {
  let cells = 0;
  let filled = 0;
  for (const line of data) {
    cells += line?.length ?? 0;
    line?.forEach(() => {
      filled++;
    });
    if (cells > SPREAD_CELLS_MAX && cells > filled * SPREAD_SHARE) {
      throw new UnreadableFile(
        `The sheet "${name}" spreads few cells over a large area. Move them together and add the file again.`,
      );
    }
  }
}

/** Copies the value of a merged cell to every row and column that it covers. */
function fillMerged(grid: string[][], sheet: WorkSheet): void {
  let left = MERGED_CELLS_MAX;
  const width = grid.reduce((most, line) => Math.max(most, line?.length ?? 0), 0);
  for (const { s: start, e: end } of sheet["!merges"] ?? []) {
    const text = grid[start.r]?.[start.c] ?? "";
    if (text === "") continue;
    for (let row = start.r; row <= Math.min(end.r, grid.length - 1); row++) {
      for (let column = start.c; column <= Math.min(end.c, width - 1); column++) {
        if (left-- <= 0) return;
        const line = grid[row] ?? [];
        line[column] = text;
        grid[row] = line;
      }
    }
  }
}
