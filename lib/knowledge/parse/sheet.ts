import type { Block, ParsedDocument } from "./document.ts";
import { repeatsHeader, sheetBlocks } from "./sheet-tables.ts";
import { isNumeric } from "./table.ts";

/** A row that is not blank. `row` is its number as in a spreadsheet, from 1. */
export interface SheetRow {
  row: number;
  cells: string[];
  error?: string;
}

export interface Sheet {
  name: string;
  rows: SheetRow[];
}

const UNNAMED_SHEET = /^(?:sheet|foglio|hoja|feuil|tabelle|planilha|blad)\s?\d*$/i;

/** The tables of each sheet under the sheet's name. */
export function documentFromWorkbook({ title, sheets }: { title: string | null; sheets: Sheet[] }): ParsedDocument {
  const named = sheets.length > 1 || !UNNAMED_SHEET.test(sheets[0]?.name ?? "");
  const blocks = sheets.flatMap(({ name, rows }): Block[] => {
    const heading: Block[] = named && name !== "" ? [{ kind: "heading", level: 1, text: name }] : [];
    return [...heading, ...sheetBlocks(rows)];
  });
  return { title, blocks, metadata: {} };
}

/** A CSV file becomes one table whose first row has the column names. */
export function documentFromCsv({ rows }: Sheet): ParsedDocument {
  const [header = [], ...rest] = rows.map(({ cells }) => cells);
  const table = header.some(isNumeric)
    ? { header: [], rows: [header, ...rest] }
    : { header, rows: dataRows(rest, header) };
  return { title: null, blocks: [{ kind: "table", ...table }], metadata: {} };
}

function dataRows(rows: string[][], header: string[]): string[][] {
  return rows.filter((row) => !repeatsHeader(row, header));
}
