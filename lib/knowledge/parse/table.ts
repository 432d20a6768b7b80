/** A cell without letters but with a digit; a bare year is more often a column's name than a value. */
export function isNumeric(cell: string): boolean {
  return /\d/.test(cell) && !/\p{L}/u.test(cell) && !/^(?:19|20)\d\d$/.test(cell.trim());
}

/** True when a row reads like the names of columns: at least two, distinct, none a number or a long text. */
export function isHeaderRow(row: string[]): boolean {
  const names = row.filter((cell) => cell !== "");
  if (names.length < 2 || new Set(names).size < names.length) return false;
  return names.every((name) => !isNumeric(name) && name.length <= 80);
}

/**
 * Takes the first row as the header when it reads like one. Two columns without a marked header stay without: they may
 * as well be names and values, and "name: value" reads well either way.
 */
export function splitHeader(rows: string[][]): { header: string[]; rows: string[][] } {
  const [first, ...rest] = rows;
  const width = widthOf(rows);
  if (first === undefined || rest.length === 0 || width < 3 || !isHeaderRow(first)) return { header: [], rows };
  return { header: first, rows: rest };
}

/** Several header rows become one: "January" over "Sales" is "January Sales". */
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
