import { type SQL, sql } from "drizzle-orm";
import type { CompanyId } from "./tenant.ts";

/** `$1::int[]` as one parameter, so that the statement's text does not grow with the list. */
export function intArray(values: Iterable<number>): SQL {
  return sql`${`{${[...values].join(",")}}`}::int[]`;
}

/** `$1::uuid[]` as one parameter. */
export function uuidArray(values: Iterable<string>): SQL {
  return sql`${`{${[...values].join(",")}}`}::uuid[]`;
}

/** `$1::text[]` as one parameter; quotes and backslashes are escaped as in array literals. */
export function textArray(values: Iterable<string>): SQL {
  const quoted = [...values].map((value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
  return sql`${`{${quoted.join(",")}}`}::text[]`;
}

/** The `like` pattern for values that contain a text; wildcards in the text are escaped. */
export function containsPattern(text: string): string {
  return `%${escapeWildcards(text)}%`;
}

export function startsWithPattern(text: string): string {
  return `${escapeWildcards(text)}%`;
}

export function endsWithPattern(text: string): string {
  return `%${escapeWildcards(text)}`;
}

function escapeWildcards(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/**
 * A vector as an expression in whole steps, because the embedded database reads decimals ten times slower.
 * @param vector multiples of a step
 * @param stepsPerUnit a power of two, so that the product is exact
 */
export function vectorLiteral(vector: Float32Array, stepsPerUnit: number): SQL {
  const steps = Array.from(vector, (component) => Math.round(component * stepsPerUnit));
  const step = `array_fill((1 / ${stepsPerUnit}.0)::real, array[${steps.length}])::vector`;
  return sql.raw(`('[${steps.join(",")}]'::vector * ${step})`);
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** A company as a literal: a statement with parameters costs a second round trip, to describe them. */
export function companyLiteral(id: CompanyId): SQL {
  return sql.raw(`'${id}'::uuid`);
}

/** Integers as a literal of an array, for the same reason. */
export function intsLiteral(values: number[]): SQL {
  return sql.raw(`'{${values.join(",")}}'::int[]`);
}

/** A text as a literal, for the same reason. Quotes and backslashes are escaped whatever the database's settings are. */
export function textLiteral(text: string): SQL {
  return sql.raw(`e'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`);
}

/** UUIDs as a literal of an array, for the same reason. */
export function uuidsLiteral(ids: Iterable<string>): SQL {
  return sql`${textLiteral(`{${[...ids].join(",")}}`)}::uuid[]`;
}
