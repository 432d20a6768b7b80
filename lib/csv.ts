const NEEDS_QUOTES = /[",\r\n]/;
/** Text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A line of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
