import { z } from "zod";

/** Text that PostgreSQL or UTF-8 cannot hold, in forms that pass schemas of names, addresses, JSON and lines. */
export const UNSTORABLE_TEXTS = [
  "a\0b",
  "\0".repeat(40),
  "cut \ud800 short",
  "\udfff",
  "a\0@example.com",
  "a\ud800@example.com",
  "one\0/two\ud800\nthree",
  '{"key\\u0000": ["\\ud800", {"deep": "\\u0000"}]}',
];

/**
 * Finds text that cannot be stored but passes a schema, in every part of its input.
 * @returns a line for each part, such as `policy.audience: ["a\u0000b"]`; empty when the schema cleans or refuses the
 * text
 */
export function unstorableOutputs(schema: z.core.$ZodType, path = "input"): string[] {
  const accepted = textInputs(schema).find((value) => {
    const parsed = z.safeParse(schema, value);
    return parsed.success && !isStorable(parsed.data);
  });
  return [
    ...(accepted ? [`${path}: ${JSON.stringify(accepted)}`] : []),
    ...partsOf(schema, path).flatMap(([part, name]) => unstorableOutputs(part, name)),
  ];
}

/** Whether a value contains neither U+0000 nor half of a surrogate pair, including in its keys. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (Array.isArray(value)) return value.every(isStorable);
  if (typeof value !== "object" || value === null || value instanceof Date) return true;
  return Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each));
}

/** Inputs made only of unstorable text; empty for schemas with fields, whose parts are checked one by one. */
function textInputs(schema: z.core.$ZodType): unknown[] {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return UNSTORABLE_TEXTS;
  if (schema instanceof z.ZodArray) return textInputs(schema.element).map((value) => [value]);
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown) {
    return UNSTORABLE_TEXTS.map((text) => ({ [text]: [text] }));
  }
  if (schema instanceof z.ZodPipe) return textInputs(schema.in);
  return isWrapper(schema) ? textInputs(schema.unwrap()) : [];
}

/** The schemas inside a schema, each with its path. */
function partsOf(schema: z.core.$ZodType, path: string): [z.core.$ZodType, string][] {
  if (textInputs(schema).length > 0) return [];
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).map(([key, part]) => [part, `${path}.${key}`]);
  }
  if (schema instanceof z.ZodArray) return [[schema.element, `${path}[]`]];
  if (schema instanceof z.ZodUnion) return schema.options.map((part) => [part, path]);
  if (schema instanceof z.ZodPipe) return [[schema.in, path]];
  return isWrapper(schema) ? [[schema.unwrap(), path]] : [];
}

function isWrapper(schema: z.core.$ZodType) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  );
}
