import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";

const COLUMNS = Object.entries(getTableColumns(queryLog));
const DEFAULTS = Object.fromEntries(
  COLUMNS.flatMap(([key, column]) => (column.hasDefault && !is(column.default, SQL) ? [[key, column.default]] : [])),
);
const INSERT = sql.raw(`insert into ragstone.query_log (${COLUMNS.map(([, { name }]) => name).join(", ")})
  select ${COLUMNS.map(([key]) => `"${key}"`).join(", ")} from json_to_recordset(`);
const ROW = sql.raw(`) as request (${COLUMNS.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(", ")})
  on conflict do nothing`);

/** Inserts rows of the log, all as one parameter: a statement that grows with the rows is built and parsed each time. */
export async function insertRequests(tx: Transaction, rows: (typeof queryLog.$inferInsert)[]): Promise<void> {
  const json = JSON.stringify(rows.map((row) => ({ ...DEFAULTS, ...row })));
  await tx.execute(sql`${INSERT}${json}::text::json${ROW}`);
}
