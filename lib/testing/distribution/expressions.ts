import type { ColumnRef, Node } from "libpg-query";

/** The conditions that must all hold. */
export function conjuncts(condition: Node | undefined): Node[] {
  if (!condition) return [];
  if (!("BoolExpr" in condition) || condition.BoolExpr.boolop !== "AND_EXPR") return [condition];
  return (condition.BoolExpr.args ?? []).flatMap(conjuncts);
}

/** The pairs that a condition says are equal: `a = b`, `(a, b) = (c, d)` or `a in (b)`. */
export function equalities(condition: Node): [Node, Node][] {
  if (!("A_Expr" in condition)) return [];
  const { kind, name, lexpr, rexpr } = condition.A_Expr;
  const [operator] = name ?? [];
  if (!lexpr || !rexpr || !operator || !("String" in operator) || operator.String.sval !== "=") return [];
  if (kind === "AEXPR_OP" && "RowExpr" in lexpr && "RowExpr" in rexpr) {
    const others = rexpr.RowExpr.args ?? [];
    return (lexpr.RowExpr.args ?? []).flatMap((one, place) => {
      const other = others[place];
      return other ? [[one, other]] : [];
    });
  }
  if (kind === "AEXPR_OP") return [[lexpr, rexpr]];
  const listed = kind === "AEXPR_IN" && "List" in rexpr ? (rexpr.List.items ?? []) : [];
  return listed.length === 1 ? listed.map((only) => [lexpr, only]) : [];
}

export function fieldsOf({ fields }: ColumnRef): string[] {
  return (fields ?? []).map((field) => ("String" in field ? (field.String.sval ?? "") : "*"));
}

/** Whether an expression is a value of the statement, not of its rows. */
export function isValue(expression: Node | undefined): boolean {
  if (!expression) return false;
  if ("TypeCast" in expression) return isValue(expression.TypeCast.arg);
  return "A_Const" in expression || "ParamRef" in expression;
}

/** The nodes of one kind in an expression, without those inside of them. */
export function nodesOf(expression: unknown, kind: string): Node[] {
  if (typeof expression !== "object" || expression === null) return [];
  if (isNode(expression, kind)) return [expression];
  return Object.values(expression).flatMap((each) => nodesOf(each, kind));
}

function isNode(given: object, kind: string): given is Node {
  return kind in given;
}
