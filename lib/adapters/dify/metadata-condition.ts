import { z } from "zod";
import { splitList } from "../../label-text.ts";
import { type Reading, whereSchema } from "../../retrieval/where-schema.ts";
import { MAX_VALUES, type Op } from "../../search-index/condition.ts";
import { textInput } from "../../text-input.ts";

const OPERATORS = new Map<string, Op>([
  ["contains", "contains"],
  ["not contains", "notContains"],
  ["start with", "startsWith"],
  ["end with", "endsWith"],
  ["is", "eq"],
  ["=", "eq"],
  ["is not", "ne"],
  ["≠", "ne"],
  ["in", "in"],
  ["not in", "nin"],
  ["empty", "notExists"],
  ["not empty", "exists"],
  [">", "gt"],
  ["<", "lt"],
  ["≥", "gte"],
  ["≤", "lte"],
  ["before", "before"],
  ["after", "after"],
]);

/** Dify's names of fields that have other names here. */
const FIELDS = new Map([
  ["document_name", "title"],
  ["source", "sourceType"],
]);

const LISTS: readonly Op[] = ["in", "nin"];
/** The comparison with any of several values, for one with a single value. */
const ANY_OF_OPERATOR = new Map<Op, Op>([
  ["eq", "in"],
  ["ne", "nin"],
]);
/** A number as it is usually written: 007 is a text. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const BOOLEANS: readonly string[] = ["true", "false"];
const NUMBERS: readonly Op[] = ["gt", "gte", "lt", "lte", "before", "after"];
const WITHOUT_VALUE: readonly Op[] = ["exists", "notExists"];

const MAX_CONDITIONS = 50;

const condition = z.object(
  {
    name: textInput(),
    comparison_operator: textInput(),
    value: z.custom<unknown>().optional(),
  },
  "must be an object",
);
const operator = z.enum(["and", "or"], 'must be "and" or "or"').nullish();

const conditions = z.object(
  {
    logical_operator: operator,
    logic: operator,
    conditions: z
      .array(condition, "must be an array")
      .max(MAX_CONDITIONS, `must have at most ${MAX_CONDITIONS} conditions`)
      .nullish(),
  },
  "must be an object",
);

type Conditions = z.output<typeof conditions>;
type Node = Conditions | z.output<typeof condition> | Comparison;

/** A condition with its value as it is stored. */
interface Comparison {
  field: string;
  op: Op;
  value: unknown;
  at: string[];
}

/** Dify's conditions as a tree. A condition whose value is null is left out, as Dify itself does. */
export const metadataCondition = conditions.pipe(whereSchema((given: Conditions): Node => given, readNode));

function readNode(node: Node): Reading<Node> {
  if ("name" in node) return readCondition(node);
  if ("field" in node) return node;
  const group = node.logical_operator ?? node.logic ?? "and";
  const members = (node.conditions ?? []).flatMap((each, index) =>
    isUnset(each) ? [] : { at: ["conditions", index], node: each },
  );
  return members.length > 0 ? { group, members } : { all: [] };
}

function isUnset({ comparison_operator, value }: z.output<typeof condition>): boolean {
  const op = OPERATORS.get(comparison_operator);
  return op !== undefined && !WITHOUT_VALUE.includes(op) && (value === null || value === undefined);
}

function readCondition({ name, comparison_operator, value }: z.output<typeof condition>): Reading<Node> {
  const op = OPERATORS.get(comparison_operator);
  if (!op) {
    return {
      message: `unknown operator; use one of ${[...OPERATORS.keys()].join(", ")}`,
      at: ["comparison_operator"],
    };
  }
  const read = { field: FIELDS.get(name) ?? name, ...comparisonOf(op, value), at: ["value"] };
  const list = LISTS.includes(op) && Array.isArray(read.value) ? read.value : [];
  const typed = list.flatMap(typedOf);
  if (typed.length === 0) return read;
  const both = [...list, ...typed];
  if (both.length <= MAX_VALUES) return { ...read, value: both };
  const members = [read, { ...read, value: typed }].map((node) => ({ at: [], node }));
  return { group: op === "in" ? "or" : "and", members };
}

/** The number or the boolean that a text looks like: it may be stored as such, or as the text. */
function typedOf(value: unknown): (number | boolean)[] {
  if (typeof value !== "string") return [];
  if (BOOLEANS.includes(value)) return [value === "true"];
  return PLAIN_NUMBER.test(value) && isNumeric(value) ? [Number(value)] : [];
}

function comparisonOf(op: Op, value: unknown): { op: Op; value: unknown } {
  const either = ANY_OF_OPERATOR.get(op);
  const typed = typedOf(value);
  if (either && typed.length > 0) return { op: either, value: [value, ...typed] };
  return { op, value: valueFor(op, value) };
}

/** Dify sends lists as one text with commas, and all values from variables as texts. */
function valueFor(op: Op, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (LISTS.includes(op)) return splitList(value);
  return NUMBERS.includes(op) && isNumeric(value) ? Number(value) : value;
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}
