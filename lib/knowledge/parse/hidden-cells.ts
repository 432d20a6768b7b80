import { type OfficeParts, relationsOf } from "./office-parts.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { COLUMNS_MAX, ROWS_MAX, type WorkbookSheet } from "./workbook.ts";
import { attributeNamed, childElements, findElements, parseXml } from "./xml.ts";
import { readZipEntries, zipEntries } from "./zip.ts";

interface HiddenCells {
  /** Numbers from 1, ascending. */
  rows: number[];
  /** 1 for each column that is hidden, else 0. */
  columns: Uint8Array;
}

/** Rows of a sheet, from 1. */
interface RowRange {
  first: number;
  last: number;
}

const MAIN_PART = "xl/workbook.xml";
const SMALL_PARTS = /^xl\/(?:workbook\.xml|_rels\/|worksheets\/_rels\/|tables\/)/i;
const TAG = /<(\/?)(?:\w+:)?(row|col|sheetPr|autoFilter|filterColumn|customSheetViews)(?=[\s/>])([^<>]*)>/g;
/** Excel also hides what has no width or height. */
const HIDDEN = /\shidden=["'](?:1|true)|\s(?:width|ht)=["']0+(?:\.0+)?["']/;
const IN_GROUP = /\soutlineLevel=["'][1-9]/;
const ADVANCED_FILTER = /\sfilterMode=["'](?:1|true)/;
const NUMBER = /\sr=["'](\d+)/;
const FIRST_COLUMN = /\smin=["'](\d+)/;
const LAST_COLUMN = /\smax=["'](\d+)/;
const FILTER_ROWS = /\sref=["']\$?[A-Z]*\$?(\d*):\$?[A-Z]*\$?(\d*)/;
/** More filters than a sheet and its tables have. */
const FILTERS_MAX = 1_000;

/**
 * The rows and columns of an Excel workbook that a person has hidden, by the place of the sheet from 0. Rows that a
 * filter hides and groups that are collapsed do not count: a reader of the workbook can show them with one click. The
 * library would tell which are hidden only together with every empty cell that has a format.
 */
export async function readHiddenCells(bytes: Uint8Array): Promise<Map<number, HiddenCells>> {
  const read = await readZipEntries(bytes, (name) => SMALL_PARTS.test(name));
  const parts = new Map([...read].map(([name, text]) => [name.toLowerCase(), text]));
  const filters = new Map(
    [...parts].filter(([name]) => name.includes("/tables/")).map(([name, table]) => [name, scan(table).filters]),
  );
  const places = placesOfSheets(parts);
  const hidden = new Map<number, HiddenCells>();
  for await (const { name, text } of zipEntries(bytes, (name) => places.has(name.toLowerCase()))) {
    const part = name.toLowerCase();
    const targets = new Set(relationsOf(parts, part).map(({ target }) => target.toLowerCase()));
    const { rows, columns, filters: own } = scan(text);
    const all = [...own, ...[...targets].flatMap((target) => filters.get(target) ?? [])];
    const cells = { rows: withoutFiltered(rows, all), columns };
    for (const place of places.get(part) ?? []) hidden.set(place, cells);
  }
  return hidden;
}

/** The places of the sheets by their part's name in lower case, which the library also ignores. */
function placesOfSheets(parts: OfficeParts): Map<string, number[]> {
  const targets = new Map(relationsOf(parts, MAIN_PART).map(({ id, target }) => [id, target]));
  const [workbook] = childElements(parseXml(parts.get(MAIN_PART) ?? ""));
  const places = new Map<string, number[]>();
  if (!workbook) return places;
  const [prefix] = workbook.tagName.split(":");
  for (const [place, sheet] of findElements(workbook, `${prefix}:sheet`).entries()) {
    const target = (targets.get(attributeNamed(sheet, "id")) ?? "").toLowerCase();
    // some programs write paths from the archive's root without the slash
    for (const part of new Set([target, target.replace(/^xl\/xl\//, "xl/")])) {
      places.set(part, [...(places.get(part) ?? []), place]);
    }
  }
  return places;
}

/** The hidden rows and columns of a sheet, and the rows of its filters, or the rows of a table's filter. */
function scan(xml: string): HiddenCells & { filters: RowRange[] } {
  const rows: number[] = [];
  const columns = new Uint8Array(COLUMNS_MAX);
  const filters: RowRange[] = [];
  let filter: RowRange | null = null;
  let isAdvanced = false;
  let inSavedViews = false;
  let row = 0;
  let ranges = 0;
  for (const [, slash, name, attributes = ""] of xml.matchAll(TAG)) {
    const opens = slash === "" && !attributes.endsWith("/");
    if (name === "customSheetViews") inSavedViews = opens;
    else if (inSavedViews) continue;
    else if (name === "sheetPr") isAdvanced ||= ADVANCED_FILTER.test(attributes);
    else if (name === "autoFilter") filter = opens ? filteredRows(attributes) : null;
    else if (name === "filterColumn") {
      // a column without a condition only says whether its button is shown
      if (opens && filter && filters.length < FILTERS_MAX) filters.push(filter);
      filter = opens ? null : filter;
    } else if (name === "row" && slash === "") {
      // the library does not count an empty row without a number
      row = numberIn(attributes, NUMBER) ?? (opens ? row + 1 : row);
      if (isHidden(attributes) && rows.length < ROWS_MAX) rows.push(row);
    } else if (name === "col" && isHidden(attributes) && ranges++ < COLUMNS_MAX) {
      const first = numberIn(attributes, FIRST_COLUMN) ?? 1;
      columns.fill(1, Math.max(0, first - 1), numberIn(attributes, LAST_COLUMN) ?? 0);
    }
  }
  if (isAdvanced && filters.length === 0) filters.push({ first: 1, last: ROWS_MAX });
  return { rows, columns, filters };
}

function isHidden(attributes: string): boolean {
  return HIDDEN.test(attributes) && !IN_GROUP.test(attributes);
}

/** All rows for a range of whole columns. */
function filteredRows(attributes: string): RowRange | null {
  const range = FILTER_ROWS.exec(attributes);
  return range && { first: Number(range[1]) || 1, last: Number(range[2]) || ROWS_MAX };
}

function withoutFiltered(rows: number[], filters: RowRange[]): number[] {
  if (rows.length === 0) return rows;
  const filtered = new Uint8Array(ROWS_MAX + 1);
  for (const { first, last } of filters.slice(0, FILTERS_MAX)) filtered.fill(1, first, last + 1);
  return [...new Set(rows)].filter((row) => filtered[row] !== 1).sort((a, b) => a - b);
}

function numberIn(attributes: string, pattern: RegExp): number | null {
  const digits = pattern.exec(attributes)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The sheet without its hidden rows and columns, and how many of these had text. */
export function withoutHiddenCells({ name, place, rows }: WorkbookSheet, hidden: HiddenCells | undefined) {
  if (hidden === undefined) return { sheet: { name, place, rows }, hiddenRows: 0, hiddenColumns: 0 };
  const lost = new Set<number>();
  const shown = moveUp(rows, hidden.rows);
  const kept = shown.map((row) => ({ ...row, cells: keepVisible(row, hidden.columns, lost) }));
  return {
    sheet: { name, place, rows: kept.filter(({ cells }) => cells.some((cell) => cell !== "")) },
    hiddenRows: rows.length - shown.length,
    hiddenColumns: lost.size,
  };
}

/** The sheet, with an error in each of its hidden rows below the first one, which may name the columns. */
export function refuseHiddenRows({ name, rows }: WorkbookSheet, hidden: HiddenCells | undefined): Sheet {
  const numbers = new Set(hidden?.rows);
  const error = "the row is hidden; show it in the file to import it";
  return { name, rows: rows.map((each, index) => (index > 0 && numbers.has(each.row) ? { ...each, error } : each)) };
}

/** The rows that are shown, numbered as if there were no others: a gap between them would end a table. */
function moveUp(rows: SheetRow[], hidden: number[]): SheetRow[] {
  let above = 0;
  return rows.flatMap((each) => {
    while ((hidden[above] ?? Number.POSITIVE_INFINITY) < each.row) above++;
    return hidden[above] === each.row ? [] : [{ ...each, row: each.row - above }];
  });
}

function keepVisible({ cells }: SheetRow, columns: Uint8Array, lost: Set<number>): string[] {
  return cells.filter((cell, column) => {
    if (columns[column] !== 1) return true;
    // a merged cell repeats its text in every column
    if (cell !== "" && cell !== cells[column - 1]) lost.add(column);
    return false;
  });
}
