import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { sql } from "drizzle-orm";
import { connection, type Transaction } from "../db/client.ts";
import { migrateWithin, pendingMigrations } from "../db/migrate.ts";
import { embeddingModels } from "../db/schema/index.ts";
import { vectorIndexes } from "../db/system.ts";
import { simpleQuery } from "../db/tenant.ts";
import { readLines } from "../knowledge/read-lines.ts";
import { objectStore } from "../knowledge/storage/index.ts";
import { backupHeader, originalLine, ROW_LINE } from "./format.ts";
import { continueSequences, listTables, writeTable } from "./tables.ts";

/** Room for an original of 50 MB as base64, and for what a row may hold. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** The backup cannot be restored; the message says why. */
export class RestoreError extends Error {
  override name = "RestoreError";
}

/**
 * Fills an empty database from a backup of this release or an older one, which is then brought up to date: all or
 * nothing. Vectors and postings come as they were, so nothing is embedded.
 * @throws {RestoreError}
 */
export async function restoreBackup(file: string): Promise<{ companies: number }> {
  const lines = readBackup(file);
  const header = parseHeader(await lines.next());
  return connection().db.transaction(async (tx) => {
    await refuseFull(tx);
    // whatever release it was set up by
    await simpleQuery(tx, "drop schema if exists ragstone cascade");
    const known = await pendingMigrations(tx);
    if (header.migrations.some((hash) => !known.includes(hash))) {
      throw new RestoreError("The backup was written by a newer release of Ragstone. Restore it with that one.");
    }
    await migrateWithin(tx, header.migrations);
    await loadRows(tx, lines);
    await continueSequences(tx);
    await migrateWithin(tx);
    for (const model of await tx.select().from(embeddingModels)) await simpleQuery(tx, vectorIndexes(model));
    const [row] = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ragstone.companies`);
    return { companies: row?.count ?? 0 };
  });
}

async function refuseFull(tx: Transaction): Promise<void> {
  const [row] = await tx.execute<{ exists: boolean }>(
    sql`select to_regclass('ragstone.companies') is not null as exists`,
  );
  if (!row?.exists) return;
  const [full] = await tx.execute<{ full: boolean }>(sql`
    select exists (select from ragstone.companies) or exists (select from ragstone.users) as full`);
  if (full?.full)
    throw new RestoreError("The database is not empty. Restore into a new one: another DATA_DIR or DATABASE_URL.");
}

async function loadRows(tx: Transaction, lines: AsyncIterator<string>): Promise<void> {
  const tables = new Map((await listTables(tx)).map(({ name, quoted }) => [name, quoted]));
  let batch: { table: string; rows: string[]; characters: number } = { table: "", rows: [], characters: 0 };
  const flush = async () => {
    const quoted = tables.get(batch.table);
    if (batch.rows.length > 0 && !quoted) throw damaged(`it names an unknown table, ${batch.table}`);
    if (batch.rows.length > 0 && quoted) await writeTable(tx, quoted, batch.rows);
  };
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw damaged("its end is missing");
    const [start, table] = ROW_LINE.exec(line) ?? [];
    if (start && table) {
      if (table !== batch.table || batch.rows.length === BATCH_ROWS || batch.characters > BATCH_CHARACTERS) {
        await flush();
        batch = { table, rows: [], characters: 0 };
      }
      batch.rows.push(line.slice(start.length, -1));
      batch.characters += line.length;
    } else if (line === '{"$end":true}') return flush();
    else await putOriginal(line);
  }
}

async function putOriginal(line: string): Promise<void> {
  const parsed = originalLine.safeParse(parseJson(line));
  if (!parsed.success) throw damaged("it has a line that is none of its own");
  const { key, base64 } = parsed.data.$original;
  await objectStore().put(key, Buffer.from(base64, "base64"));
}

function parseHeader({ value, done }: IteratorResult<string>) {
  const parsed = backupHeader.safeParse(done ? null : parseJson(value));
  if (!parsed.success) throw new RestoreError("The file is not a backup of Ragstone.");
  return parsed.data;
}

async function* readBackup(file: string): AsyncGenerator<string, undefined> {
  try {
    for await (const line of readLines(createReadStream(file).pipe(createGunzip()), LINE_BYTES_MAX)) {
      if (line.error !== undefined) throw damaged(line.error);
      yield line.text;
    }
  } catch (error) {
    if (error instanceof RestoreError) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function damaged(reason: string): RestoreError {
  return new RestoreError(`The backup is damaged, or none of Ragstone: ${reason}. Nothing was restored.`);
}
