import type { Condition, Where } from "../search-index/condition.ts";
import { fc } from "./property.ts";

const scalar = fc.constantFrom("a", "b", "ab", "5", "%", 5, 6, -0.5, true, false);
const stored = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(null), fc.constant({ a: 1 }));
/** Metadata of a source, with the values that conditions compare. */
export const METADATA = fc.dictionary(fc.constantFrom("x", "y"), stored);
const field = fc.constantFrom("x", "y");
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field, op: fc.constantFrom("eq" as const, "ne" as const), value: scalar }),
  fc.record({ field, op: fc.constantFrom("in" as const, "nin" as const), value: fc.array(scalar, { minLength: 1 }) }),
  fc.record({
    field,
    op: fc.constantFrom("gt" as const, "gte" as const, "lt" as const, "lte" as const),
    value: fc.constantFrom(5, 5.5, -1),
  }),
  fc.record({
    field,
    op: fc.constantFrom("contains" as const, "notContains" as const, "startsWith" as const, "endsWith" as const),
    value: fc.constantFrom("a", "b", "%"),
  }),
  fc.record({ field, op: fc.constantFrom("exists" as const, "notExists" as const) }),
);
/** Condition trees over the fields of `METADATA`. */
export const CONDITION_TREE = fc.letrec<{ tree: Where }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ and: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("tree") }),
  ),
})).tree;

/** Whether metadata meets a condition tree, worked out without SQL. */
export function meets(given: Record<string, unknown>, where: Where): boolean {
  if ("and" in where) return where.and.every((each) => meets(given, each));
  if ("or" in where) return where.or.some((each) => meets(given, each));
  if ("not" in where) return !meets(given, where.not);
  const elements = [given[where.field] ?? []].flat();
  const isPresent = elements.length > 0;
  const some = (test: (element: unknown) => boolean) => elements.some(test);
  const text = (test: (element: string) => boolean) => some((each) => typeof each === "string" && test(each));
  const number = (test: (element: number) => boolean) => some((each) => typeof each === "number" && test(each));
  switch (where.op) {
    case "eq":
      return some((each) => each === where.value);
    case "ne":
      return isPresent && !some((each) => each === where.value);
    case "in":
      return some((each) => where.value.some((value) => value === each));
    case "nin":
      return isPresent && !some((each) => where.value.some((value) => value === each));
    case "gt":
      return number((each) => each > where.value);
    case "gte":
      return number((each) => each >= where.value);
    case "lt":
      return number((each) => each < where.value);
    case "lte":
      return number((each) => each <= where.value);
    case "contains":
      return text((each) => each.includes(where.value));
    case "notContains":
      return isPresent && !text((each) => each.includes(where.value));
    case "startsWith":
      return text((each) => each.startsWith(where.value));
    case "endsWith":
      return text((each) => each.endsWith(where.value));
    case "exists":
      return isPresent;
    case "notExists":
      return !isPresent;
    default:
      throw new Error(`the model does not know ${where.op}`);
  }
}
