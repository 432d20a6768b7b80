import { sum } from "../../sum.ts";
import type { ParsedDocument } from "./document.ts";
import { readHiddenCells, refuseHiddenRows, withoutHiddenCells } from "./hidden-cells.ts";
import { hiddenNotice } from "./hidden-notice.ts";
import { documentFromWorkbook, type Sheet } from "./sheet.ts";
import { readWorkbook, refuseEmpty } from "./workbook.ts";

/** Reads what a person sees of an Excel workbook that `inspectZip` has accepted. */
export async function parseXlsx(bytes: Uint8Array): Promise<ParsedDocument> {
  const hidden = await readHiddenCells(bytes);
  const { title, sheets, hiddenSheets } = readWorkbook(bytes);
  const visible = sheets.map((sheet) => withoutHiddenCells(sheet, hidden.get(sheet.place)));
  const shown = visible.map(({ sheet }) => sheet);
  refuseEmpty(shown);
  const notice = hiddenNotice({
    sheet: hiddenSheets,
    row: sum(visible.map(({ hiddenRows }) => hiddenRows)),
    column: sum(visible.map(({ hiddenColumns }) => hiddenColumns)),
  });
  return { ...documentFromWorkbook({ title, sheets: shown }), notice };
}

/** The rows of the visible sheets of an Excel workbook that `inspectZip` has accepted. Hidden rows have an error. */
export async function rowsOfXlsx(bytes: Uint8Array): Promise<Sheet[]> {
  const hidden = await readHiddenCells(bytes);
  return readWorkbook(bytes).sheets.map((sheet) => refuseHiddenRows(sheet, hidden.get(sheet.place)));
}
