import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { connection, type Executor } from "../db/client.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { env } from "../env.ts";
import { changedSince, currentMark, inOneMoment } from "./consistency.ts";
import { BACKUP_FORMAT } from "./format.ts";
import { neededOriginals, readOriginals } from "./originals.ts";
import { listTables, readTable } from "./tables.ts";

/** Tries without making anyone wait, before one that does. */
const TRIES = 2;

interface WriteOptions {
  /** The originals that lie in `DATA_DIR`, so that the file is all there is to move. */
  originals: boolean;
}

interface Written {
  file: string;
  bytes: number;
  /** How many originals should have been in it, and are nowhere. */
  missing: number;
}

/** What was read of the database, all of it as of one moment. */
interface Rows {
  /** How many rows each table had. */
  counts: Map<string, number>;
  /** The originals that the rows refer to. */
  needed: string[];
}

/**
 * Writes the whole database into one file: gzip of JSON lines (format.ts). All of it is as of one moment. The file is
 * there whole or not at all, for this user alone to read: it holds hashes of passwords and keys.
 */
export async function writeBackup(file: string, { originals }: WriteOptions): Promise<Written> {
  const draft = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  let missing = 0;
  try {
    await rm(draft, { force: true });
    const migrations = await appliedMigrations();
    await append(draft, [line({ format: BACKUP_FORMAT, version: 1, migrations, createdAt: new Date().toISOString() })]);
    // never within a transaction, where all others wait for them; and first, because what goes now no row refers to later
    const kept = new Set<string>();
    if (originals) await append(draft, readOriginals(kept));
    const { needed } = await writeRows(draft, migrations);
    // what came while the rows were read
    if (originals) await append(draft, readOriginals(kept));
    await append(draft, [line({ $end: true })]);
    await sync(draft);
    await rename(draft, file);
    if (originals && !env().supabase) missing = needed.filter((key) => !kept.has(key)).length;
  } finally {
    await rm(draft, { force: true });
  }
  return { file, bytes: (await stat(file)).size, missing };
}

/**
 * Reads the embedded database in small steps, so that others are served between them, and looks at the end whether
 * the steps fit each other. When somebody changed something every time, or on a server, reads as of one moment.
 */
async function writeRows(draft: string, migrations: string[]): Promise<Rows> {
  const { size } = await stat(draft);
  for (let tried = 0; connection().embedded && tried < TRIES; tried++) {
    const mark = await currentMark();
    const rows = await appendRows(draft, connection().db, migrations);
    if (!(await changedSince(mark, await listTables(connection().db), rows.counts))) return rows;
    await truncate(draft, size);
  }
  return inOneMoment((db) => appendRows(draft, db, migrations));
}

async function appendRows(draft: string, db: Executor, migrations: string[]): Promise<Rows> {
  const counts = new Map<string, number>();
  async function* lines() {
    for (const table of await listTables(db)) {
      let rows = 0;
      for await (const batch of readTable(db, table)) {
        rows += batch.length;
        yield batch.map((row) => `{"${table.name}":${row}}\n`).join("");
      }
      counts.set(table.name, rows);
    }
  }
  await append(draft, lines());
  if ((await appliedMigrations(db)).join() !== migrations.join()) {
    throw new Error("The database was migrated while the backup was written. Run the backup again.");
  }
  return { counts, needed: await neededOriginals(db) };
}

/** Adds a part to a file of gzip, which may have many. */
async function append(file: string, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createGzip({ level: 1 }), createWriteStream(file, { flags: "a", mode: 0o600 }));
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync().finally(() => handle.close());
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
