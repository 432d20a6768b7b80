import { sql } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { nodesOf } from "./expressions.ts";

const KINDS = ["immutable", "stable", "volatile"] as const;
type Kind = (typeof KINDS)[number];
export type FunctionKind = [name: string, kind: Kind];
export type Volatility = ReadonlyMap<string, Kind>;

/** The kind of each function of the database; of functions with the same name, the least predictable. */
export async function functionVolatility({ db }: Connection): Promise<FunctionKind[]> {
  const rows = await db.execute<{ name: string; kind: Kind }>(sql`
    select proname as name, case when bool_or(provolatile = 'v') then 'volatile'
      when bool_or(provolatile = 's') then 'stable' else 'immutable' end as kind
    from pg_proc group by proname`);
  return rows.map(({ name, kind }) => [name, kind]);
}

/** The functions in an expression that are less predictable than allowed. */
export function functionProblems(expression: unknown, most: Kind, volatility: Volatility): string[] {
  const called = nodesOf(expression, "FuncCall").flatMap((node) => ("FuncCall" in node ? [node.FuncCall] : []));
  return called.flatMap(({ funcname, args }) => {
    const last = funcname?.at(-1);
    const name = last && "String" in last ? (last.String.sval ?? "") : "";
    const kind = volatility.get(name) ?? "volatile";
    const own = KINDS.indexOf(kind) > KINDS.indexOf(most) ? [name] : [];
    return [...own, ...functionProblems(args, most, volatility)];
  });
}
