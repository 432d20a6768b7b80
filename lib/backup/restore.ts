import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Transaction } from "../db/client.ts";
import { knownMigrations } from "../db/migrate.ts";
import { fillDatabase, isDatabaseEmpty } from "../db/system/backup.ts";
import { listTables, writeTable } from "../db/system/tables.ts";
import { jsonOrNull } from "../json-or-null.ts";
import { readLines } from "../read-lines.ts";
import { objectStore } from "../storage/index.ts";
import { backupHeader, originalLine, ROW_LINE } from "./format.ts";

/** Room for an original of 50 MB as base64, and for the largest row. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;
const END_LINE = '{"$end":true}';
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

interface ReadOptions {
  signal?: AbortSignal;
}

/** The backup cannot be restored; the message says why. */
export class RestoreError extends Error {
  override name = "RestoreError";
}

/**
 * Fills an empty database from a backup of this release or an older one, which is then migrated, all in one
 * transaction. Vectors and postings are restored as they were, so nothing is embedded again. The originals are restored
 * first: their names are hashes of their content, so they do no harm when the rest fails.
 * @param options.signal ends the reading of the file, and restores nothing
 * @throws {RestoreError}
 */
export async function restoreBackup(file: string, options: ReadOptions = {}): Promise<{ companies: number }> {
  if (!(await isDatabaseEmpty())) throw notEmptyError();
  const migrations = await restoreOriginals(file, options);
  const rows = readRows(file, options);
  try {
    // read up to the first row before the transaction: an idle transaction would be disconnected
    const first = await rows.next();
    const companies = await fillDatabase(migrations, (tx) => loadRows(tx, first, rows));
    if (companies === null) throw notEmptyError();
    return { companies };
  } finally {
    await rows.return(undefined);
  }
}

/**
 * Reads the whole file and restores its originals.
 * @returns the hashes of the migrations that define its rows
 */
async function restoreOriginals(file: string, options: ReadOptions): Promise<string[]> {
  let migrations: string[] | undefined;
  for await (const line of readBackup(file, options)) {
    if (line === END_LINE && migrations) return migrations;
    if (!migrations) migrations = parseHeader(line);
    else if (!ROW_LINE.test(line)) await restoreOriginal(line);
  }
  throw migrations ? damagedFileError("the end of the file is missing") : notBackupError();
}

async function restoreOriginal(line: string): Promise<void> {
  const parsed = originalLine.safeParse(jsonOrNull(line));
  if (!parsed.success) throw damagedFileError("it contains an unknown line");
  const { key, base64 } = parsed.data.$original;
  await objectStore().put(key, Buffer.from(base64, "base64"));
}

type RowLine = { table: string; row: string };

/** Reads the rows, without the originals before and after them. */
async function* readRows(file: string, options: ReadOptions): AsyncGenerator<RowLine, undefined> {
  let hasHeader = false;
  let hasBegun = false;
  for await (const line of readBackup(file, options)) {
    const [start, table] = hasHeader ? (ROW_LINE.exec(line) ?? []) : [];
    hasHeader = true;
    if (start && table) yield { table, row: line.slice(start.length, -1) };
    else if (hasBegun) return;
    hasBegun ||= table !== undefined;
  }
}

async function loadRows(
  tx: Transaction,
  first: IteratorResult<RowLine, undefined>,
  rest: AsyncIterator<RowLine, undefined>,
): Promise<void> {
  const tables = new Map((await listTables(tx)).map(({ name, quoted }) => [name, quoted]));
  let batch: { table: string; rows: string[]; characters: number } = { table: "", rows: [], characters: 0 };
  const flush = async () => {
    const quoted = tables.get(batch.table);
    if (batch.rows.length > 0 && !quoted) throw damagedFileError(`it names an unknown table, ${batch.table}`);
    if (batch.rows.length > 0 && quoted) await writeTable(tx, quoted, batch.rows);
  };
  for (let next = first; !next.done; next = await rest.next()) {
    const { table, row } = next.value;
    if (table !== batch.table || batch.rows.length === BATCH_ROWS || batch.characters > BATCH_CHARACTERS) {
      await flush();
      batch = { table, rows: [], characters: 0 };
    }
    batch.rows.push(row);
    batch.characters += row.length;
  }
  await flush();
}

/** @returns the hashes of the migrations that define the rows */
function parseHeader(line: string): string[] {
  const parsed = backupHeader.safeParse(jsonOrNull(line));
  if (!parsed.success) throw notBackupError();
  const known = knownMigrations();
  if (parsed.data.migrations.every((hash) => known.includes(hash))) return parsed.data.migrations;
  throw new RestoreError("The backup was written by a newer release of Ragstone. Restore it with that release.");
}

async function* readBackup(file: string, options: ReadOptions): AsyncGenerator<string, undefined> {
  // the reader gets errors of either stream
  const bytes = pipeline(createReadStream(file, options), createGunzip(), () => undefined);
  try {
    for await (const line of readLines(bytes, LINE_BYTES_MAX)) {
      if (line.error !== undefined) throw damagedFileError(line.error);
      yield line.text;
    }
  } catch (error) {
    if (error instanceof RestoreError) throw error;
    throw damagedFileError(error instanceof Error ? error.message : String(error));
  }
}

function notEmptyError(): RestoreError {
  return new RestoreError(
    "The database is not empty. Restore into an empty one: set another DATA_DIR or DATABASE_URL.",
  );
}

function notBackupError(): RestoreError {
  return new RestoreError("The file is not a Ragstone backup.");
}

function damagedFileError(reason: string): RestoreError {
  return new RestoreError(`The file is damaged or not a Ragstone backup: ${reason}. Nothing was restored.`);
}
