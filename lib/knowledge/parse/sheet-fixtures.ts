import { utils, write } from "@e965/xlsx";

/** A small generated workbook for parser tests. `change` edits it before it is written. */
export function makeXlsx(
  sheets: Record<string, unknown[][]>,
  change: (book: ReturnType<typeof utils.book_new>) => void = () => {},
) {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name);
  change(book);
  return new Uint8Array(write(book, { type: "buffer", bookType: "xlsx" }));
}
