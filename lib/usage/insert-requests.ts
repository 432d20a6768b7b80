import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import { queryLog } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";

const { companyId: _company, ...others } = getTableColumns(queryLog);
const COLUMNS = Object.entries(others);
const DEFAULTS = Object.fromEntries(
  COLUMNS.flatMap(([key, column]) => (column.hasDefault && !is(column.default, SQL) ? [[key, column.default]] : [])),
);
const INSERT = sql.raw(
  `insert into ragstone.query_log (company_id, ${COLUMNS.map(([, { name }]) => name).join(", ")})`,
);
const VALUES = sql.raw(COLUMNS.map(([key]) => `request."${key}"`).join(", "));
const ROW = sql.raw(COLUMNS.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(", "));

/** The statement that inserts rows of the log; none of a company that was deleted. */
export function insertRequests(companyId: CompanyId, rows: Omit<typeof queryLog.$inferInsert, "companyId">[]): SQL {
  const json = textLiteral(JSON.stringify(rows.map((row) => ({ ...DEFAULTS, ...row }))));
  return sql`${INSERT} select companies.id, ${VALUES}
    from ragstone.companies, json_to_recordset(${json}::json) as request (${ROW})
    where companies.id = ${companyLiteral(companyId)} on conflict do nothing`;
}
