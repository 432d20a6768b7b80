import { relationsOf } from "./office-parts.ts";
import type { Sheet, SheetRow } from "./sheet.ts";
import { attribute, findElements, parseXml } from "./xml.ts";
import { readZipEntries, zipEntries } from "./zip.ts";

interface HiddenCells {
  /** Numbers from 1. */
  rows: Set<number>;
  /** 1 for each column that is hidden, else 0. */
  columns: Uint8Array;
}

const MAIN_PART = "xl/workbook.xml";
const SMALL_PARTS = /^xl\/(?:workbook\.xml|_rels\/|worksheets\/_rels\/|tables\/)/;
const ROW_OR_COLUMN = /<(?:\w+:)?(row|col)\s([^<>]*)>/g;
const COLUMNS_MAX = 16_384;

/**
 * The rows and columns of an Excel workbook that a person has hidden, by the name of the sheet. Rows that a filter hides
 * and groups that are collapsed do not count: a reader of the workbook can show them with one click.
 */
export async function readHiddenCells(bytes: Uint8Array): Promise<Map<string, HiddenCells>> {
  const parts = await readZipEntries(bytes, (name) => SMALL_PARTS.test(name));
  const targets = new Map(relationsOf(parts, MAIN_PART).map(({ id, target }) => [id, target]));
  const sheets = findElements(parseXml(parts.get(MAIN_PART) ?? ""), "x:sheet");
  const names = new Map(sheets.map((each) => [targets.get(attribute(each, "r:id")) ?? "", attribute(each, "name")]));
  const hidden = new Map<string, HiddenCells>();
  for await (const { name: part, text } of zipEntries(bytes, (name) => names.has(name))) {
    const tables = relationsOf(parts, part).map(({ target }) => parts.get(target) ?? "");
    hidden.set(names.get(part) ?? "", hiddenIn(text, [text, ...tables].some(hasFilter)));
  }
  return hidden;
}

function hasFilter(xml: string): boolean {
  return /<(?:\w+:)?filterColumn\b|\sfilterMode=["'](?:1|true)/.test(xml);
}

function hiddenIn(sheet: string, filtered: boolean): HiddenCells {
  const hidden: HiddenCells = { rows: new Set(), columns: new Uint8Array(COLUMNS_MAX) };
  let row = 0;
  let ranges = 0;
  for (const [, kind, attributes = ""] of sheet.matchAll(ROW_OR_COLUMN)) {
    if (kind === "row") row = numberIn(attributes, "r") ?? row + 1;
    if (!/\bhidden=["'](?:1|true)/.test(attributes) || (numberIn(attributes, "outlineLevel") ?? 0) > 0) continue;
    if (kind === "col") {
      // a hostile file may hide the same columns a million times
      if (ranges++ < COLUMNS_MAX)
        hidden.columns.fill(1, Math.max(0, (numberIn(attributes, "min") ?? 1) - 1), numberIn(attributes, "max") ?? 0);
    } else if (!filtered) hidden.rows.add(row);
  }
  return hidden;
}

function numberIn(attributes: string, name: string): number | null {
  const [, digits] = new RegExp(`(?:^|\\s)${name}=["'](\\d+)`).exec(attributes) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The sheet without its hidden rows and columns, and how many of these had text. */
export function withoutHidden({ name, rows }: Sheet, hidden: HiddenCells | undefined) {
  if (hidden === undefined) return { sheet: { name, rows }, hiddenRows: 0, hiddenColumns: 0 };
  const lost = new Set<number>();
  const shown = rows.filter(({ row }) => !hidden.rows.has(row));
  const kept = shown.map((row) => ({ ...row, cells: keepVisible(row, hidden.columns, lost) }));
  return {
    sheet: { name, rows: kept.filter(({ cells }) => cells.some((cell) => cell !== "")) },
    hiddenRows: rows.length - shown.length,
    hiddenColumns: lost.size,
  };
}

function keepVisible({ cells }: SheetRow, columns: Uint8Array, lost: Set<number>): string[] {
  return cells.filter((cell, column) => {
    if (columns[column] !== 1) return true;
    if (cell !== "") lost.add(column);
    return false;
  });
}
