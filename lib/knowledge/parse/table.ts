/** Whether a cell has a digit and no letters. A plain year does not count, because it is more often a column's name. */
export function isNumeric(cell: string): boolean {
  return /\d/.test(cell) && !/\p{L}/u.test(cell) && !/^(?:19|20)\d\d$/.test(cell.trim());
}

/** Whether a row looks like column names: at least two, all distinct, no number and no long text. */
export function isHeaderRow(row: string[]): boolean {
  const names = row.filter((cell) => cell !== "");
  if (names.length < 2 || new Set(names).size < names.length) return false;
  return names.every((name) => !isNumeric(name) && name.length <= 80);
}

/**
 * Uses the first row as the header when it looks like one. Two columns without a marked header get none: they may as well
 * be names and values, and "name: value" is readable in both cases.
 */
export function splitHeader(rows: string[][]): { header: string[]; rows: string[][] } {
  const [first, ...rest] = rows;
  const width = widthOf(rows);
  if (first === undefined || rest.length === 0 || width < 3 || !isHeaderRow(first)) return { header: [], rows };
  return { header: first, rows: rest };
}

/** Merges several header rows into one: "January" above "Sales" becomes "January Sales". */
export function mergeHeader(rows: string[][]): string[] {
  const width = widthOf(rows);
  return Array.from({ length: width }, (_, column) => {
    const parts = rows.map((row) => row[column] ?? "").filter((text) => text !== "");
    return [...new Set(parts)].join(" ");
  });
}

function widthOf(rows: string[][]): number {
  return rows.reduce((most, row) => Math.max(most, row.length), 0);
}
