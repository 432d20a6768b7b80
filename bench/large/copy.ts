import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReservedSql } from "postgres";

type Value = string | number | boolean | null | Uint8Array | readonly string[];

/** Writes rows into a table of the product by COPY. @param columns in the order of the values of each row */
export async function copyRows(
  sql: ReservedSql,
  table: string,
  columns: string[],
  rows: Iterable<Value[]>,
): Promise<void> {
  const writable = await sql`
    copy ${sql.unsafe(`ragstone.${table} (${columns.join(", ")})`)} from stdin`.writable();
  await pipeline(Readable.from(linesOf(rows)), writable);
}

/** Long strings, because a message for each row is slow. */
function* linesOf(rows: Iterable<Value[]>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(`${row.map(fieldOf).join("\t")}\n`);
    if (lines.length === 200) {
      yield lines.join("");
      lines = [];
    }
  }
  yield lines.join("");
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function fieldOf(value: Value): string {
  if (value === null) return "\\N";
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString("hex")}`;
  const text = Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each)).join(",")}}` : String(value);
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}
