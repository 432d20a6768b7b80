import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { PutSource } from "../source-types.ts";

/**
 * A line of a bulk file, with its number from 1: a source that the server still has to check, or why the line cannot be
 * read.
 */
export type Row = { row: number; source: PutSource } | { row: number; error: string };

const NEW_LINE = 10;

/**
 * Reads `.jsonl` line by line. A source without a `sourceId` gets the one that the server's own command line derives from
 * the file's name and the title or question.
 */
export async function* readRows(input: string | AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Row> {
  const identify = identifier(name);
  let row = 0;
  for await (const line of readLines(typeof input === "string" ? createReadStream(input) : input)) {
    row++;
    const read = parseLine(line);
    if (typeof read === "string") yield { row, error: read };
    else if (read) yield { row, source: identify(read) };
  }
}

async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  for await (const chunk of stream) {
    let rest = chunk;
    for (let end = rest.indexOf(NEW_LINE); end !== -1; end = rest.indexOf(NEW_LINE)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      rest = rest.subarray(end + 1);
    }
    parts.push(rest);
  }
  yield Buffer.concat(parts);
}

/** An object; null for an empty line; else a message that says what is wrong. */
function parseLine(bytes: Uint8Array): object | string | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "it is not valid UTF-8";
  }
  if (text.trim() === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : "must be an object";
  } catch {
    return "the line is not valid JSON";
  }
}

/** Gives an identifier to sources without one, and numbers those that would get the same. */
function identifier(name: string): (given: object) => PutSource {
  const seen = new Map<string, number>();
  return (given) => {
    // the server checks every field
    const source = given as PutSource;
    if (source.sourceId !== undefined && source.sourceId !== null) return source;
    const title = source.sourceType === "qa" ? source.question : source.title;
    const key = hashedId([name, source.sourceType, cleaned(title)]);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return { ...source, sourceId: count === 0 ? key : hashedId([key, String(count)]) };
  };
}

/** As the server stores a text. */
function cleaned(text: unknown): string {
  return String(text).replaceAll("\0", "\uFFFD").toWellFormed().trim();
}

/** A UUID of version 8 from SHA-256, as the server derives it. */
function hashedId(parts: string[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
