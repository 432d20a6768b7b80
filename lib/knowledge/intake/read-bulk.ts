import { createReadStream } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import type { z } from "zod";
import { counted } from "../../counted.ts";
import { csvText } from "../../csv.ts";
import { splitList, splitPath } from "../../label-text.ts";
import { readLines } from "../../read-lines.ts";
import { yieldToSearches } from "../../retrieval/search-queue.ts";
import { hashedId } from "../content-hash.ts";
import { UnreadableFile } from "../parse/document.ts";
import { extensionOf, SHEET_EXTENSIONS } from "../parse/formats.ts";
import { type FileInput, readSheets } from "../parse/index.ts";
import type { Sheet } from "../parse/sheet.ts";
import { columnPlaces, hasColumns } from "../parse/wanted-rows.ts";
import { type SourceInput, sourceInput } from "./source-input.ts";

export type { SourceInput } from "./source-input.ts";

export const NO_QUESTIONS = "The file has no columns named question and answer. Name them so in its first row.";

const QUESTION_COLUMNS = ["question", "answer"];
/** Rows are read for this long before other requests get a turn. One row may have an answer of 100,000 characters. */
const PAUSE_AFTER_MS = 10;
const ISSUES_SHOWN = 3;
/** The CSV file of requests has this column. It has an apostrophe before a question that looks like a formula. */
const REQUEST_COLUMN = "request_id";

/**
 * One row of a bulk file, with its number as an editor or a spreadsheet shows it: a source, or the reason why it is invalid.
 * In a workbook of several sheets, which number their rows alike, `sheet` is the name of its sheet.
 */
export type BulkRow = { row: number; sheet?: string | undefined } & ({ source: SourceInput } | { error: string });

/**
 * Reads a `.jsonl` file (or a stream, such as standard input) line by line, in constant memory. A source without a
 * `sourceId` gets one derived from the file's name and the source's title or question, so that importing the same file
 * again updates the same sources.
 */
export async function* readSources(
  input: string | AsyncIterable<Uint8Array>,
  name = typeof input === "string" ? path.basename(input) : "-",
): AsyncGenerator<BulkRow> {
  const identify = identifier(name);
  for await (const line of readLines(typeof input === "string" ? createReadStream(input) : input)) {
    if (line.error !== undefined) yield { row: line.row, error: line.error };
    else if (line.text.trim() !== "") yield identify(readJson(line.row, line.text));
  }
}

/**
 * Reads questions and answers from a CSV file or workbook, in a child process with limits.
 * @throws UnreadableFile when the file cannot be read or has no columns `question` and `answer`
 */
export async function* readQuestions(file: string | FileInput): AsyncGenerator<BulkRow> {
  const rows = await openQuestions(file);
  if (rows === null) throw new UnreadableFile(NO_QUESTIONS);
  yield* rows;
}

/**
 * Like `readQuestions`, but returns null for a file without the columns `question` and `answer`, which is a document.
 * @param rowsMax a file of more questions is refused
 * @throws TooManyRows @throws UnreadableFile
 */
export async function openQuestions(
  file: string | FileInput,
  rowsMax = Infinity,
): Promise<AsyncGenerator<BulkRow> | null> {
  const input: FileInput = typeof file === "string" ? { path: file, fileName: path.basename(file) } : file;
  const { fileName, questionsOf } = input;
  if (questionsOf === undefined && !isSheetName(fileName)) return null;
  const sheets = await readSheets(input, { columns: QUESTION_COLUMNS, rowsMax });
  const found = sheets.some(({ rows }) => hasColumns(rows[0]?.cells, QUESTION_COLUMNS));
  return found ? questionRows(sheets, identifier(questionsOf ?? fileName)) : null;
}

/** Whether a name has the extension of CSV or of a workbook. */
export function isSheetName(fileName: string): boolean {
  return SHEET_EXTENSIONS.includes(extensionOf(fileName));
}

async function* questionRows(sheets: Sheet[], identify: (read: BulkRow) => BulkRow): AsyncGenerator<BulkRow> {
  let paused = performance.now();
  for (const { name, rows } of sheets) {
    const [header, ...rest] = rows;
    if (header === undefined) continue;
    const sheet = sheets.length > 1 ? name : undefined;
    const where = sheet === undefined ? "" : `Sheet "${sheet}": `;
    if (!hasColumns(header.cells, QUESTION_COLUMNS)) {
      yield { row: header.row, sheet, error: `${where}it has no columns named question and answer` };
      continue;
    }
    const columns = { places: columnPlaces(header.cells), count: header.cells.length };
    for (const { row, cells, error } of rest) {
      if (performance.now() - paused > PAUSE_AFTER_MS) {
        await setImmediate();
        await yieldToSearches();
        paused = performance.now();
      }
      const read = error === undefined ? readCells(row, columns, cells) : { row, error };
      yield "error" in read ? { row, sheet, error: `${where}${read.error}` } : identify({ ...read, sheet });
    }
  }
}

interface Columns {
  places: ReadonlyMap<string, number>;
  count: number;
}

function readCells(row: number, { places, count }: Columns, cells: string[]): BulkRow {
  const surplus = cells.slice(count).filter((cell) => cell.trim() !== "");
  if (surplus.length > 0) {
    return {
      row,
      error: `it has ${counted(cells.length, "cell")} under ${counted(count, "column")}; put quotes around values`,
    };
  }
  function cell(column: string): string | undefined {
    return cells[places.get(column) ?? -1]?.trim() || undefined;
  }
  const question = cell("question") ?? "";
  const audience = cell("audience");
  const path = cell("path");
  return readInput(row, {
    sourceType: "qa",
    question: places.has(REQUEST_COLUMN) ? csvText(question) : question,
    answer: cell("answer") ?? "",
    audience: audience && splitList(audience),
    contentCategory: cell("contentcategory"),
    path: path && splitPath(path),
    sourceId: cell("sourceid"),
  });
}

function readJson(row: number, line: string): BulkRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { row, error: "the line is not valid JSON" };
  }
  return readInput(row, value);
}

function readInput(row: number, value: unknown): BulkRow {
  const parsed = sourceInput.safeParse(value);
  return parsed.success ? { row, source: parsed.data } : { row, error: explain(parsed.error) };
}

function explain({ issues }: z.ZodError): string {
  const named = issues.slice(0, ISSUES_SHOWN).map(({ path: place, message }) => `${place.join(".")} ${message}`.trim());
  const more = issues.length - named.length;
  return named.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/** Gives an identifier to sources without one. Numbers the repeats when several sources in a file would get the same. */
function identifier(name: string): (read: BulkRow) => BulkRow {
  const seen = new Map<string, number>();
  return (read) => {
    if ("error" in read || read.source.sourceId !== undefined) return read;
    const { source } = read;
    const key = hashedId([name, source.sourceType, source.sourceType === "qa" ? source.question : source.title]);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return { ...read, source: { ...source, sourceId: count === 0 ? key : hashedId([key, String(count)]) } };
  };
}
