const NEEDS_QUOTES = /[",\r\n]/;
/** Where a spreadsheet with semicolons between cells begins a cell with a formula. It ignores quotes inside a cell. */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=["']*[=+\-@])/g;
const ESCAPED_INNER_FORMULA = /(?<=[;\t\r\n])'(?=["']*[=+\-@])/g;
/**
 * Text that a spreadsheet would run as a formula. Apostrophes before it get another one, so that reading the cell gives
 * the text back.
 */
const FORMULA = /^'*[=+\-@\t\r]/;
/** A text that `csvLine` changed. A reader of CSV may turn the carriage return into a line feed. */
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\n])/;

/** A line of a CSV file (RFC 4180). What a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** The text of a cell that `csvLine` wrote, without the apostrophes before formulas. */
export function csvText(cell: string): string {
  return cell.replace(ESCAPED_FORMULA, "").replaceAll(ESCAPED_INNER_FORMULA, "");
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const inner = value.replaceAll(INNER_FORMULA, "'");
  const text = FORMULA.test(value) ? `'${inner}` : inner;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
