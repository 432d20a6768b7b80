import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { jsonOrNull } from "../json-or-null.ts";

/** Reads a file of JSON lines and skips blank lines. @throws {Error} with file and line when a line does not match `schema` */
export async function readJsonLines<T extends z.ZodType>(path: string, schema: T): Promise<z.infer<T>[]> {
  return (await readTextLines(path)).map(({ line, number }) => {
    const value = jsonOrNull(line);
    if (typeof value !== "object" || value === null) throw new Error(`${path}, line ${number}: must be a JSON object`);
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new Error(`${path}, line ${number}: ${explain(parsed.error)}`);
    return parsed.data;
  });
}

/** The lines of a text file that are not blank, each with its number from 1. */
export async function readTextLines(path: string): Promise<{ line: string; number: number }[]> {
  const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  return text
    .split(/\r?\n/)
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line.trim() !== "");
}

function explain({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join(".");
  return path ? `${path}: ${issue?.message}` : `${issue?.message}`;
}
