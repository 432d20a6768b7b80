import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Node } from "libpg-query";
import * as schema from "../../db/schema/index.ts";
import { VALUE } from "./equal-columns.ts";
import { fieldsOf, isValue } from "./expressions.ts";

/** Gives the identity of a column by its name; null when the relation has no such column. */
export type Columns = (name: string) => string | null;

export const NO_COLUMNS: Columns = () => null;

/** What the expressions of a query may refer to. */
export interface Scope {
  relations: { alias: string; columns: Columns /** Null for a subquery. */; table: string | null }[];
  ctes: ReadonlyMap<string, Columns>;
  /** The query around a subquery that the planner turns into a join; null for others. */
  outer: Scope | null;
}

const TABLE_COLUMNS = new Map(
  Object.values(schema)
    .filter((each) => is(each, PgTable))
    .map((table) => {
      const { name, columns } = getTableConfig(table);
      return [name, new Set(columns.map((column) => column.name))];
    }),
);

export function hasColumn(table: string, column: string): boolean {
  return TABLE_COLUMNS.get(table)?.has(column) ?? false;
}

/** The identity of a column, or that of a value; null for other expressions. */
export function termOf(expression: Node, scope: Scope): string | null {
  if (isValue(expression)) return VALUE;
  return "ColumnRef" in expression ? resolve(fieldsOf(expression.ColumnRef), scope) : null;
}

export function resolve(fields: string[], { relations }: Scope): string | null {
  const [column = "", table] = fields.toReversed();
  const named = relations.filter(({ alias }) => table === undefined || alias === table);
  return named.map(({ columns }) => columns(column)).find((found) => found !== null) ?? null;
}
