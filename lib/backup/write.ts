import { createWriteStream } from "node:fs";
import { mkdir, open, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Executor } from "../db/client.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { changedSince, currentMark, type OriginalKeys, versionOriginals, withSnapshot } from "../db/system/backup.ts";
import { isEmbedded } from "../db/system/database.ts";
import { listTables, readTable } from "../db/system/tables.ts";
import { env } from "../env.ts";
import { writeWhole } from "../write-whole.ts";
import { BACKUP_FORMAT } from "./format.ts";
import { readOriginals } from "./originals.ts";

/** Attempts that do not block other clients, before one that does. */
const UNLOCKED_ATTEMPTS = 3;

/** The embedded database changed during every attempt to read it without blocking others. */
export class DatabaseBusyError extends Error {
  override name = "DatabaseBusyError";
}

interface WriteOptions {
  /** Whether to include the originals in `DATA_DIR`, so that the backup is a single file. */
  originals: boolean;
  /** Whether to block other clients when no attempt without it succeeds; true by default. */
  mayBlock?: boolean;
  /** Ends the writing; nothing is left of the file. */
  signal?: AbortSignal;
}

interface WrittenBackup {
  file: string;
  bytes: number;
  /** Number of originals that should be in the backup but are missing. */
  missing: number;
}

type Lines = Iterable<string> | AsyncIterable<string>;

/** Facts about the rows of a backup, all of the same moment. */
interface Rows {
  /** Number of rows per table. */
  counts: Map<string, number>;
  /** The originals that the rows refer to; null in a backup without originals. */
  keys: OriginalKeys | null;
}

/**
 * Writes the whole database, as of one moment, to one file: gzip of JSON lines (format.ts). The file appears complete
 * or not at all. Only this user can read it, because it contains hashes of passwords and keys.
 * @throws {DatabaseBusyError} only when it may not block others
 */
export async function writeBackup(file: string, options: WriteOptions): Promise<WrittenBackup> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { originals, signal } = options;
  let missing = 0;
  await writeWhole(file, async (draft) => {
    const append = (lines: Lines) => appendTo(draft, lines, signal);
    const migrations = await appliedMigrations();
    await append([line({ format: BACKUP_FORMAT, version: 1, migrations, createdAt: new Date().toISOString() })]);
    // not within a transaction, which would block all others; and before the rows, because rows read later never refer
    // to an original deleted by then
    const kept = new Set<string>();
    if (originals) await append(readOriginals((await versionOriginals()).all, kept));
    const { keys } = await writeRows(draft, migrations, options);
    // originals added while the rows were read
    if (keys) await append(readOriginals(keys.all, kept));
    await append([line({ $end: true })]);
    await sync(draft);
    if (keys && !env().supabase) missing = [...keys.needed].filter((key) => !kept.has(key)).length;
  });
  return { file, bytes: (await stat(file)).size, missing };
}

/**
 * Reads the embedded database in small steps, so that others are served in between, and checks at the end whether the
 * steps are consistent. If something changed in every attempt, or on a server, reads a snapshot.
 */
async function writeRows(draft: string, migrations: string[], options: WriteOptions): Promise<Rows> {
  const { mayBlock = true } = options;
  const { size } = await stat(draft);
  const embedded = isEmbedded();
  for (let tried = 0; embedded && tried < UNLOCKED_ATTEMPTS; tried++) {
    const mark = await currentMark();
    const rows = await appendRows(draft, migrations, options);
    if (!(await changedSince(mark, await listTables(), rows.counts))) return rows;
    await truncate(draft, size);
  }
  if (embedded && !mayBlock) throw new DatabaseBusyError("The database changed during every attempt to read it.");
  return withSnapshot((db) => appendRows(draft, migrations, options, db));
}

/** @param db a snapshot; else statements of different moments are read */
async function appendRows(
  draft: string,
  migrations: string[],
  { originals, signal }: WriteOptions,
  db?: Executor,
): Promise<Rows> {
  const counts = new Map<string, number>();
  async function* lines() {
    for (const table of await listTables(db)) {
      let rows = 0;
      for await (const batch of readTable(table, db)) {
        rows += batch.length;
        yield batch.map((row) => `{"${table.name}":${row}}\n`).join("");
      }
      counts.set(table.name, rows);
    }
  }
  await appendTo(draft, lines(), signal);
  if ((await appliedMigrations(db)).join() !== migrations.join()) {
    throw new Error("The database was migrated while the backup was written. Run the backup again.");
  }
  return { counts, keys: originals ? await versionOriginals(db) : null };
}

/** Appends a part to a gzip file, which may have many. */
async function appendTo(file: string, lines: Lines, signal: AbortSignal | undefined): Promise<void> {
  const target = createWriteStream(file, { flags: "a", mode: 0o600 });
  await pipeline(Readable.from(lines), createGzip({ level: 1 }), target, signal ? { signal } : {});
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
