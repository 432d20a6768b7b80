import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import { queryLog } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { QueryRecord } from "./day-counts.ts";

const { companyId: _company, ...others } = getTableColumns(queryLog);
const COLUMNS = Object.entries(others);
const DEFAULTS = Object.fromEntries(
  COLUMNS.flatMap(([key, column]) => (column.hasDefault && !is(column.default, SQL) ? [[key, column.default]] : [])),
);
/** What the company does not want to keep is not stored. */
const STORED: Record<string, string> = {
  queryText: `case when not hash_queries then request."queryText" end`,
  queryHash: `case when hash_queries then encode(sha256(convert_to(request."queryText", 'UTF8')), 'hex') end`,
  answer: `case when keep_answers and not hash_queries then request."answer" end`,
};
const INSERT = sql.raw(
  `insert into ragstone.query_log (company_id, ${COLUMNS.map(([, { name }]) => name).join(", ")})`,
);
const VALUES = sql.raw(COLUMNS.map(([key]) => STORED[key] ?? `request."${key}"`).join(", "));
const ROW = sql.raw(COLUMNS.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(", "));

/** The statement that inserts rows of the log; none of a company that was deleted. */
export function insertRequests(companyId: CompanyId, records: QueryRecord[]): SQL {
  const json = textLiteral(JSON.stringify(records.map((record) => ({ ...DEFAULTS, ...record }))));
  return sql`${INSERT} select companies.id, ${VALUES}
    from ragstone.companies, json_to_recordset(${json}::json) as request (${ROW})
    where companies.id = ${companyLiteral(companyId)} on conflict do nothing`;
}
