import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import type { CompanyId } from "../db/tenant.ts";

const { companyId: _company, ...others } = getTableColumns(queryLog);
const COLUMNS = Object.entries(others);
const DEFAULTS = Object.fromEntries(
  COLUMNS.flatMap(([key, column]) => (column.hasDefault && !is(column.default, SQL) ? [[key, column.default]] : [])),
);
const INSERT = sql.raw(
  `insert into ragstone.query_log (company_id, ${COLUMNS.map(([, { name }]) => name).join(", ")})`,
);
const VALUES = sql.raw(COLUMNS.map(([key]) => `"${key}"`).join(", "));
const ROW = sql.raw(COLUMNS.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(", "));

/** Inserts rows of the log, all as one parameter: a statement that grows with the rows is built and parsed each time. */
export async function insertRequests(
  tx: Transaction,
  companyId: CompanyId,
  rows: Omit<typeof queryLog.$inferInsert, "companyId">[],
): Promise<void> {
  const json = JSON.stringify(rows.map((row) => ({ ...DEFAULTS, ...row })));
  await tx.execute(sql`${INSERT} select ${companyId}::uuid, ${VALUES}
    from json_to_recordset(${json}::text::json) as request (${ROW}) on conflict do nothing`);
}
