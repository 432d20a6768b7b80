import { z } from "zod";
import { isStorableInstant } from "../instant.ts";
import { textInput } from "../text-input.ts";

const MAX_KEY_LENGTH = 200;
/** Of a list. */
export const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 512;

const METADATA_PREFIX = /^metadata\./;

/** The key of a metadata field, with or without the prefix `metadata.`. */
export function metadataKey(field: string): string {
  return field.replace(METADATA_PREFIX, "");
}

const field = textInput()
  .refine((name) => metadataKey(name) !== "", "must name a field")
  .refine((name) => metadataKey(name).length <= MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`);

const text = textInput().max(MAX_VALUE_LENGTH, `must have at most ${MAX_VALUE_LENGTH} characters`);
const scalar = z.union([text, z.number(), z.boolean()], "must be a string, a number or a boolean");
const scalars = z
  .array(scalar, "must be an array of strings, numbers or booleans")
  .min(1, "must have at least one value")
  .max(MAX_VALUES, `must have at most ${MAX_VALUES} values`);

/** The forms that `ragstone.instant_or_null` reads in stored values. */
const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,20})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

const NO_DATE = "must be a date in ISO 8601, for example 2030-01-31 or 2030-01-31T12:00:00Z, or seconds since 1970";
const instant = z
  .union([z.string().max(MAX_VALUE_LENGTH), z.number()], NO_DATE)
  .transform((given) => (typeof given === "number" ? given * 1_000 : parseInstant(given)))
  .refine(isStorableInstant, NO_DATE)
  .transform((ms) => new Date(ms).toISOString());

/** Milliseconds since 1970; NaN for a text that is not a date. Without an offset, the time is UTC. */
function parseInstant(text: string): number {
  const [, day, offset] = ISO_8601.exec(text) ?? [];
  if (!z.iso.date().safeParse(day).success) return Number.NaN;
  return Date.parse(offset || text === day ? text : `${text}Z`);
}

/**
 * A condition on one field of a source: `sourceId`, `title`, `sourceType`, `audience`, `contentCategory`, `path` (segments
 * joined by slashes), `fileName`, or `metadata.<key>`. Any other name is a key of the metadata.
 */
export const condition = z.discriminatedUnion("op", [
  z.object({ field, op: z.enum(["eq", "ne"]), value: scalar }),
  z.object({ field, op: z.enum(["gt", "gte", "lt", "lte"]), value: z.number("must be a number") }),
  z.object({ field, op: z.enum(["in", "nin"]), value: scalars }),
  z.object({
    field,
    op: z.enum(["contains", "notContains", "startsWith", "endsWith"]),
    value: text.min(1, "must not be empty"),
  }),
  z.object({ field, op: z.enum(["exists", "notExists"]) }),
  z.object({ field, op: z.enum(["before", "after"]), value: instant }),
]);

export type Condition = z.output<typeof condition>;
export type Scalar = z.output<typeof scalar>;
export type Op = Condition["op"];

/** A tree of conditions on the labels and the metadata of a source. No list is empty. */
export type Where = { and: Where[] } | { or: Where[] } | { not: Where } | Condition;
