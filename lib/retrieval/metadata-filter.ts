import type { Condition, Op, Scalar, Where } from "../search-index/condition.ts";
import { type Reading, whereSchema } from "./where-schema.ts";

const OPS: readonly Op[] = [
  "eq",
  "ne",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "nin",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "exists",
  "notExists",
  "before",
  "after",
];

/** Names of groups of conditions, not of fields. */
const GROUPS: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** Conditions by operator, for example `{"gte": 2024}`. `exists` and `notExists` take true or false. */
type Operators = { [Name in Op]?: Scalar | Scalar[] | null };

/**
 * Conditions by field, which all must hold. A scalar stands for `eq` and an array for `in`. The names `and` and `or` take
 * a list of such objects, `not` takes one.
 */
export interface MetadataFilter {
  [field: string]: Scalar | Scalar[] | Operators | MetadataFilter | MetadataFilter[] | null | undefined;
}

type Node = { conditions: unknown } | { field: string; given: unknown } | { field: string; op: string; value: unknown };

/** The schema of `filters.metadata`. As everywhere in the API, `null` is the same as absent. */
export const metadataFilter = whereSchema((conditions: MetadataFilter): Node => ({ conditions }), readNode);

function readNode(node: Node): Reading<Node> {
  if ("conditions" in node) return readConditions(node.conditions);
  return "op" in node ? readOperator(node) : readField(node);
}

function readConditions(given: unknown): Reading<Node> {
  if (!isObject(given)) return { message: 'must be an object, for example {"region": "EU", "year": {"gte": 2024}}' };
  return { all: entriesOf(given).map(([field, each]) => ({ at: [field], node: { field, given: each } })) };
}

function readField({ field, given }: { field: string; given: unknown }): Reading<Node> {
  if (field === "and" || field === "or") {
    if (!Array.isArray(given)) return { message: "must be an array of objects" };
    return { group: field, members: given.map((conditions, index) => ({ at: [index], node: { conditions } })) };
  }
  if (field === "not") return { group: field, members: [{ at: [], node: { conditions: given } }] };
  if (Array.isArray(given)) return given.length > 0 ? { field, op: "in", value: given } : { all: [] };
  if (!isObject(given)) return { field, op: "eq", value: given };
  if (Object.keys(given).length === 0) return { message: `must have an operator: ${OPS.join(", ")}` };
  return { all: entriesOf(given).map(([op, value]) => ({ at: [op], node: { field, op, value } })) };
}

function readOperator({ field, op: name, value }: { field: string; op: string; value: unknown }): Reading<Node> {
  const op = OPS.find((known) => known === name);
  if (!op) return { message: `unknown operator; use one of ${OPS.join(", ")}` };
  if (op !== "exists" && op !== "notExists") return { field, op, value };
  if (typeof value !== "boolean") return { message: "must be true or false" };
  return { field, op: value === (op === "exists") ? "exists" : "notExists" };
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries that are not null. */
function entriesOf(given: object): [string, unknown][] {
  return Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
}

/** The filter as a caller would write it, for the log. */
export function toMetadataFilter(where: Where): MetadataFilter {
  if ("and" in where) {
    const members = where.and.map(toMetadataFilter);
    return mergeDistinct(members) ?? { and: members };
  }
  if ("or" in where) return { or: where.or.map(toMetadataFilter) };
  if ("not" in where) return { not: toMetadataFilter(where.not) };
  const field = GROUPS.has(where.field) ? `metadata.${where.field}` : where.field;
  return { [field]: { [where.op]: writtenValue(where) } };
}

/** One object for members that share no field, or no operator of a field; otherwise null. */
function mergeDistinct(members: MetadataFilter[]): MetadataFilter | null {
  const merged = new Map<string, MetadataFilter[string]>();
  for (const [field, given] of members.flatMap((member) => Object.entries(member))) {
    const known = merged.get(field);
    if (known === undefined) merged.set(field, given);
    else if (
      GROUPS.has(field) ||
      !isOperators(known) ||
      !isOperators(given) ||
      Object.keys(given).some((op) => op in known)
    )
      return null;
    else merged.set(field, { ...known, ...given });
  }
  return Object.fromEntries(merged);
}

function isOperators(given: MetadataFilter[string]): given is Operators {
  return isObject(given) && Object.keys(given).every((name) => OPS.some((op) => op === name));
}

function writtenValue(condition: Condition): Scalar | Scalar[] {
  return "value" in condition ? condition.value : true;
}
