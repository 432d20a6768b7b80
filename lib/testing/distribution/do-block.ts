import { type Node, parsePlPgSQLSync, parseSync } from "libpg-query";
import { z } from "zod";

const expressionNode = z.object({ PLpgSQL_expr: z.object({ query: z.string(), parseMode: z.number() }) });
/** The parse mode of a whole statement. Others are of expressions. */
const STATEMENT = 0;

/** The statements of a message. A `do` block, which Citus runs where it arrives, counts as the statements in it. */
export function statementsOf(message: string): Node[] {
  return (parseSync(message).stmts ?? []).flatMap(({ stmt }) => {
    if (!stmt) return [];
    return "DoStmt" in stmt ? bodiesOf(stmt.DoStmt.args ?? []).flatMap(statementsOfBody) : [stmt];
  });
}

function bodiesOf(options: Node[]): string[] {
  return options.flatMap((option) => {
    if (!("DefElem" in option)) return [];
    const { defname, arg } = option.DefElem;
    return defname === "as" && arg && "String" in arg ? (arg.String.sval ?? []) : [];
  });
}

function statementsOfBody(body: string): Node[] {
  const parsed = parsePlPgSQLSync(`create function f() returns void language plpgsql as $f$${body}$f$`);
  return queriesOf(parsed).flatMap(statementsOf);
}

function queriesOf(given: unknown): string[] {
  if (typeof given !== "object" || given === null) return [];
  const found = expressionNode.safeParse(given);
  if (!found.success) return Object.values(given).flatMap(queriesOf);
  const { query, parseMode } = found.data.PLpgSQL_expr;
  return [parseMode === STATEMENT ? query : `select ${query}`];
}
