import { getTableColumns, getTableName, type InferInsertModel, is, SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { companyLiteral, textLiteral } from "./sql.ts";
import type { CompanyId } from "./tenant.ts";

/**
 * A statement without parameters that inserts rows of a company from one literal of JSON; none of a company that was
 * deleted. A missing value is the column's default if that is a constant, else null. The caller may append what happens on
 * a conflict.
 */
export function insertRows<Table extends PgTable>(
  table: Table,
  companyId: CompanyId,
  rows: Omit<InferInsertModel<Table>, "companyId">[],
): SQL {
  const { companyId: _company, ...others } = getTableColumns(table);
  const columns = Object.entries(others);
  const defaults = Object.fromEntries(
    columns.flatMap(([key, column]) => (column.hasDefault && !is(column.default, SQL) ? [[key, column.default]] : [])),
  );
  const target = sql.raw(`${getTableConfig(table).schema}.${getTableName(table)}`);
  const names = sql.raw(columns.map(([, { name }]) => name).join(", "));
  const values = sql.raw(columns.map(([key]) => `added."${key}"`).join(", "));
  const definition = sql.raw(columns.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(", "));
  const json = textLiteral(JSON.stringify(rows.map((row) => ({ ...defaults, ...row }))));
  return sql`insert into ${target} (company_id, ${names}) select companies.id, ${values}
    from ragstone.companies, json_to_recordset(${json}::json) as added (${definition})
    where companies.id = ${companyLiteral(companyId)}`;
}
