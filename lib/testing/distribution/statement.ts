import type { DeleteStmt, InsertStmt, JoinExpr, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from "libpg-query";
import { PLACEMENTS, type Placement } from "../../db/distribution.ts";
import { statementsOf } from "./do-block.ts";
import { EqualColumns, VALUE } from "./equal-columns.ts";
import { conjuncts, equalities, fieldsOf, isValue, nodesOf } from "./expressions.ts";
import { functionProblems, type Volatility } from "./functions.ts";
import { type Columns, hasColumn, NO_COLUMNS, resolve, type Scope, termOf } from "./scope.ts";

/**
 * Why Citus would refuse a message of statements, or would send one of them to several servers. Empty when each needs
 * only the server of one company, or the coordinator.
 */
export function distributionProblems(message: string, volatility: Volatility): string[] {
  return statementsOf(message).flatMap((statement) => new Statement(statement, volatility).problems());
}

class Statement {
  private readonly equal = new EqualColumns();
  private readonly tables: { name: string; columns: Columns }[] = [];
  private readonly found: string[] = [];
  private readonly volatility: Volatility;

  constructor(statement: Node, volatility: Volatility) {
    this.volatility = volatility;
    this.query(statement, new Map(), null);
  }

  problems(): string[] {
    const ofCompanies = this.tables.filter(({ name }) => PLACEMENTS[name] === "company");
    const unlimited = ofCompanies.filter(({ columns }) => !this.equal.haveValue(columns("company_id") ?? ""));
    return [...this.found, ...unlimited.map(({ name }) => `${name} is not limited to one company`)];
  }

  /** @returns the columns of its rows */
  private query(node: Node, ctes: ReadonlyMap<string, Columns>, outer: Scope | null): Columns {
    if ("SelectStmt" in node) return this.select(node.SelectStmt, ctes, outer);
    if ("InsertStmt" in node) return this.insert(node.InsertStmt, ctes);
    if ("UpdateStmt" in node) return this.change(node.UpdateStmt, node.UpdateStmt.fromClause, ctes);
    if ("DeleteStmt" in node) return this.change(node.DeleteStmt, node.DeleteStmt.usingClause, ctes);
    return NO_COLUMNS;
  }

  private select(select: SelectStmt, ctes: ReadonlyMap<string, Columns>, outer: Scope | null): Columns {
    const scope: Scope = { relations: [], ctes: this.withCtes(select.withClause, ctes), outer };
    const { larg, rarg, fromClause, withClause, ...expressions } = select;
    if (larg && rarg) {
      this.select(larg, scope.ctes, outer);
      this.select(rarg, scope.ctes, outer);
      return NO_COLUMNS;
    }
    this.from(fromClause ?? [], scope);
    this.refuseMixture(scope.relations.map(({ table }) => table ?? ""));
    this.where(select.whereClause, scope);
    this.subqueries(expressions, scope);
    return this.outputs(select.targetList ?? [], scope);
  }

  private insert(insert: InsertStmt, ctes: ReadonlyMap<string, Columns>): Columns {
    const scope: Scope = { relations: [], ctes: this.withCtes(insert.withClause, ctes), outer: null };
    const target = this.addTable(insert.relation, scope);
    const place = (insert.cols ?? []).findIndex((col) => "ResTarget" in col && col.ResTarget.name === "company_id");
    const source = insert.selectStmt && "SelectStmt" in insert.selectStmt ? insert.selectStmt.SelectStmt : {};
    const company = target("company_id");
    const rows = (source.valuesLists ?? []).map((row) => ("List" in row ? row.List.items?.[place] : undefined));
    if (company && rows.length > 0 && rows.every(isValue)) this.equal.join(company, VALUE);
    const selected = this.select(source, scope.ctes, null)(String(place));
    if (company && selected) this.equal.follow(selected, company);
    const { targetList, whereClause } = insert.onConflictClause ?? {};
    this.subqueries({ targetList, whereClause }, scope);
    this.checkFunctions(insert.relation, "immutable", [targetList, whereClause], "on conflict");
    return this.outputs(insert.returningClause?.exprs ?? [], scope);
  }

  private change(
    change: UpdateStmt | DeleteStmt,
    from: Node[] | undefined,
    ctes: ReadonlyMap<string, Columns>,
  ): Columns {
    const scope: Scope = { relations: [], ctes: this.withCtes(change.withClause, ctes), outer: null };
    const targetList = "targetList" in change ? change.targetList : undefined;
    this.addTable(change.relation, scope);
    this.from(from ?? [], scope);
    this.refuseMixture(scope.relations.map(({ table }) => table ?? ""));
    this.where(change.whereClause, scope);
    this.subqueries({ targetList, where: change.whereClause, returning: change.returningClause }, scope);
    this.checkFunctions(change.relation, "stable", [targetList, change.whereClause], "a change");
    this.checkFunctions(change.relation, "immutable", change.returningClause, "returning");
    return this.outputs(change.returningClause?.exprs ?? [], scope);
  }

  private checkFunctions(
    table: RangeVar | undefined,
    most: "immutable" | "stable",
    expressions: unknown,
    place: string,
  ): void {
    if ((PLACEMENTS[table?.relname ?? ""] ?? "coordinator") === "coordinator") return;
    this.found.push(...functionProblems(expressions, most, this.volatility).map((name) => `${name}() in ${place}`));
  }

  private withCtes(clause: WithClause | undefined, known: ReadonlyMap<string, Columns>): ReadonlyMap<string, Columns> {
    const ctes = new Map(known);
    for (const node of clause?.ctes ?? []) {
      if (!("CommonTableExpr" in node)) continue;
      const { ctename = "", ctequery } = node.CommonTableExpr;
      // a recursive one refers to itself
      if (clause?.recursive) ctes.set(ctename, NO_COLUMNS);
      if (ctequery) ctes.set(ctename, this.query(ctequery, ctes, null));
    }
    return ctes;
  }

  private from(items: Node[], scope: Scope): void {
    for (const item of items) {
      if ("RangeVar" in item) this.addTable(item.RangeVar, scope);
      else if ("JoinExpr" in item) this.addJoin(item.JoinExpr, scope);
      else if ("RangeSubselect" in item) {
        const { subquery, alias } = item.RangeSubselect;
        if (subquery) {
          const columns = this.query(subquery, scope.ctes, null);
          scope.relations.push({ alias: alias?.aliasname ?? "", columns, table: null });
        }
      } else this.subqueries(item, scope);
    }
  }

  private addTable(table: RangeVar | undefined, scope: Scope): Columns {
    const { schemaname, relname = "", alias } = table ?? {};
    const columns = (!schemaname && scope.ctes.get(relname)) || this.tableColumns(relname, schemaname);
    scope.relations.push({
      alias: alias?.aliasname ?? relname,
      columns,
      table: columns === NO_COLUMNS ? null : relname,
    });
    return columns;
  }

  private tableColumns(relname: string, schemaname: string | undefined): Columns {
    if (schemaname !== "ragstone") return NO_COLUMNS;
    const name = relname.replace(/^embeddings_\d+$/, "embeddings");
    const id = `${name}:${this.tables.length}`;
    const columns: Columns = (column) => (hasColumn(name, column) ? `${id}.${column}` : null);
    this.tables.push({ name, columns });
    return columns;
  }

  private addJoin({ larg, rarg, quals, usingClause, jointype }: JoinExpr, scope: Scope): void {
    const before = scope.relations.length;
    this.from(larg ? [larg] : [], scope);
    const left = scope.relations.slice(before);
    this.from(rarg ? [rarg] : [], scope);
    const right = scope.relations.slice(before + left.length);
    const sides = { left: { ...scope, relations: left }, right: { ...scope, relations: right } };
    this.subqueries(quals, scope);
    for (const name of (usingClause ?? []).flatMap((each) => ("String" in each ? (each.String.sval ?? []) : []))) {
      this.relate(resolve([name], sides.left), resolve([name], sides.right), jointype);
    }
    if (jointype === "JOIN_INNER") this.where(quals, scope);
    for (const [one, other] of conjuncts(quals).flatMap(equalities)) {
      this.relate(termOf(one, sides.left), termOf(other, sides.right), jointype);
      this.relate(termOf(other, sides.left), termOf(one, sides.right), jointype);
    }
  }

  /** Only the side that an outer join may fill with nulls is limited by its condition. */
  private relate(left: string | null, right: string | null, join: JoinExpr["jointype"]): void {
    if (!left || !right) return;
    if (join === "JOIN_INNER") this.equal.join(left, right);
    if (join === "JOIN_LEFT" && right !== VALUE) this.equal.follow(left, right);
    if (join === "JOIN_RIGHT" && left !== VALUE) this.equal.follow(right, left);
  }

  private where(condition: Node | undefined, scope: Scope): void {
    for (const [one, other] of conjuncts(condition).flatMap(equalities)) {
      const [first, second] = [termOf(one, scope), termOf(other, scope)];
      if (first && second) this.equal.join(first, second);
      else if (scope.outer) this.correlate(first ?? second, termOf(first ? other : one, scope.outer));
    }
  }

  private correlate(inner: string | null, outer: string | null): void {
    if (!inner || !outer) return;
    this.equal.follow(outer, inner);
    this.refuseMixture([tableOf(inner), tableOf(outer)]);
  }

  /** No server has both tables. */
  private refuseMixture(tables: string[]): void {
    const placed = (placement: Placement) => tables.find((name) => PLACEMENTS[name] === placement);
    const [local, distributed] = [placed("coordinator"), placed("company")];
    if (local && distributed) this.found.push(`${local} is not on the server of ${distributed}`);
  }

  private subqueries(expressions: unknown, scope: Scope): void {
    for (const node of nodesOf(expressions, "SubLink")) {
      if (!("SubLink" in node) || !node.SubLink.subselect) continue;
      const { subLinkType, subselect, testexpr } = node.SubLink;
      // the planner turns these into joins; others run by themselves
      const joined = subLinkType === "EXISTS_SUBLINK" || subLinkType === "ANY_SUBLINK";
      const first = this.query(subselect, scope.ctes, joined ? scope : null)("0");
      if (testexpr) this.correlate(first, termOf(testexpr, scope));
    }
  }

  /** Columns of a result, by their names and by their places. */
  private outputs(targets: Node[], scope: Scope): Columns {
    const columns = new Map<string, string>();
    let hasStar = false;
    for (const [place, target] of targets.entries()) {
      if (!("ResTarget" in target) || !target.ResTarget.val) continue;
      const { name, val } = target.ResTarget;
      hasStar ||= "ColumnRef" in val && fieldsOf(val.ColumnRef).at(-1) === "*";
      const term = termOf(val, scope);
      if (!term) continue;
      columns.set(String(place), term);
      const ownName = name ?? ("ColumnRef" in val ? fieldsOf(val.ColumnRef).at(-1) : undefined);
      if (ownName) columns.set(ownName, term);
    }
    return (name) => columns.get(name) ?? (hasStar ? resolve([name], scope) : null);
  }
}

function tableOf(column: string): string {
  return column.split(":")[0] ?? "";
}
