import { type SQL, sql } from "drizzle-orm";

/** `$1::int[]` in one parameter, so that the statement's text does not grow with the list. */
export function intArray(values: Iterable<number>): SQL {
  return sql`${`{${[...values].join(",")}}`}::int[]`;
}

/** `$1::uuid[]` in one parameter. */
export function uuidArray(values: Iterable<string>): SQL {
  return sql`${`{${[...values].join(",")}}`}::uuid[]`;
}

/** `$1::text[]` in one parameter; quotes and backslashes are escaped as array literals want it. */
export function textArray(values: Iterable<string>): SQL {
  const quoted = [...values].map((value) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
  return sql`${`{${quoted.join(",")}}`}::text[]`;
}

/** The pattern of `ilike` for what contains a text, whatever characters that has. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** A vector literal. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
