/** The first row of a statement that always returns one. */
export function requireRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}
