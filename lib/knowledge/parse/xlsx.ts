import { sum } from "../../sum.ts";
import type { ParsedDocument } from "./document.ts";
import { readHiddenCells, withoutHiddenCells } from "./hidden-cells.ts";
import { hiddenNotice } from "./hidden-notice.ts";
import { documentFromWorkbook, readWorkbook, refuseEmpty } from "./sheet.ts";

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
