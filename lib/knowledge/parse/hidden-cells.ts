import type { Element } from "hast";
import { type OfficeParts, relationsOf } from "./office-parts.ts";
import { COLUMNS_MAX, ROWS_MAX, type SheetRow, type WorkbookSheet } from "./sheet.ts";
import { childElements, findElements, parseXml } from "./xml.ts";
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
const ROW_OR_COLUMN = /<(?:\w+:)?(row|col)(?=[\s/>])([^<>]*)>/g;
const SAVED_VIEWS = /<(?:\w+:)?customSheetViews>[\s\S]*?<\/(?:\w+:)?customSheetViews>/;
/** A filter with a condition. A column without one only says whether its button is shown. */
const FILTER =
  /<(?:\w+:)?autoFilter\s[^<>]*\bref="[A-Z]*(\d+):[A-Z]*(\d+)"[^<>]*>\s*(?:<(?:\w+:)?filterColumn[^<>]*\/>\s*)*<(?:\w+:)?filterColumn\s[^<>]*[^<>/]>/g;
const ADVANCED_FILTER = /<(?:\w+:)?sheetPr\s[^<>]*\bfilterMode="(?:1|true)"/;
const ALL_ROWS = { first: 1, last: ROWS_MAX };

/**
 * The rows and columns of an Excel workbook that a person has hidden, by the place of the sheet from 0. Rows that a
 * filter hides and groups that are collapsed do not count: a reader of the workbook can show them with one click.
 */
export async function readHiddenCells(bytes: Uint8Array): Promise<Map<number, HiddenCells>> {
  const read = await readZipEntries(bytes, (name) => SMALL_PARTS.test(name));
  const parts = new Map([...read].map(([name, text]) => [name.toLowerCase(), text]));
  const places = placesOfSheets(parts);
  const hidden = new Map<number, HiddenCells>();
  for await (const { name, text } of zipEntries(bytes, (name) => places.has(name.toLowerCase()))) {
    const part = name.toLowerCase();
    const targets = new Set(relationsOf(parts, part).map(({ target }) => target.toLowerCase()));
    const cells = hiddenIn(
      text.replace(SAVED_VIEWS, ""),
      [...targets].map((target) => parts.get(target) ?? ""),
    );
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
    const target = (targets.get(relationId(sheet)) ?? "").toLowerCase();
    // some programs write paths from the archive's root without the slash
    for (const part of new Set([target, target.replace(/^xl\/xl\//, "xl/")])) {
      places.set(part, [...(places.get(part) ?? []), place]);
    }
  }
  return places;
}

/** Programs choose the prefix of this attribute. */
function relationId({ properties }: Element): string {
  return String(Object.entries(properties).find(([name]) => name.endsWith(":id"))?.[1] ?? "");
}

function hiddenIn(sheet: string, tables: string[]): HiddenCells {
  const hidden: HiddenCells = { rows: [], columns: new Uint8Array(COLUMNS_MAX) };
  const filtered = filteredRows(sheet, tables);
  let row = 0;
  let ranges = 0;
  for (const [, kind, attributes = ""] of sheet.matchAll(ROW_OR_COLUMN)) {
    if (kind === "row") row = numberIn(attributes, "r") ?? (attributes.endsWith("/") ? row : row + 1);
    if (!/\bhidden=["'](?:1|true)/.test(attributes) || (numberIn(attributes, "outlineLevel") ?? 0) > 0) continue;
    if (kind === "row") {
      if (hidden.rows.length < ROWS_MAX && !isWithin(row, filtered)) hidden.rows.push(row);
    } else if (ranges++ < COLUMNS_MAX) {
      // a hostile file may hide the same columns a million times
      hidden.columns.fill(1, Math.max(0, (numberIn(attributes, "min") ?? 1) - 1), numberIn(attributes, "max") ?? 0);
    }
  }
  return { ...hidden, rows: [...new Set(hidden.rows)].sort((a, b) => a - b) };
}

/** The rows that a filter of the sheet or of one of its tables may hide. */
function filteredRows(sheet: string, tables: string[]): RowRange[] {
  const ranges = [sheet, ...tables].flatMap((xml) =>
    Array.from(xml.matchAll(FILTER), ([, first, last]) => ({ first: Number(first), last: Number(last) })),
  );
  return ranges.length === 0 && ADVANCED_FILTER.test(sheet) ? [ALL_ROWS] : ranges;
}

function isWithin(row: number, ranges: RowRange[]): boolean {
  return ranges.some(({ first, last }) => row >= first && row <= last);
}

function numberIn(attributes: string, name: string): number | null {
  const [, digits] = new RegExp(`(?:^|\\s)${name}=["'](\\d+)`).exec(attributes) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The sheet without its hidden rows and columns, and how many of these had text. */
export function withoutHidden({ name, place, rows }: WorkbookSheet, hidden: HiddenCells | undefined) {
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
    if (cell !== "") lost.add(column);
    return false;
  });
}
