import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { connection, type Executor } from "../db/client.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { changedSince, currentMark, inOneMoment } from "./consistency.ts";
import { BACKUP_FORMAT } from "./format.ts";
import { listTables, readTable } from "./tables.ts";

/** Tries without making anyone wait, before one that does. */
const TRIES = 2;

interface WriteOptions {
  /** The originals that lie in `DATA_DIR`, so that the file is all there is to move. */
  originals: boolean;
}

/**
 * Writes the whole database into one file: gzip of JSON lines (format.ts). All of it is as of one moment. The file is
 * there whole or not at all, for this user alone to read: it holds hashes of passwords and keys.
 */
export async function writeBackup(file: string, options: WriteOptions): Promise<{ file: string; bytes: number }> {
  const draft = `${file}.part`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    if (!connection().embedded || !(await writeBetweenOthers(draft, options))) {
      await inOneMoment((db) => writeDraft(draft, db, options));
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  return { file, bytes: (await stat(file)).size };
}

/**
 * Reads the embedded database in small steps, so that others are served between them, and looks at the end whether
 * the steps fit each other. @returns false when somebody changed something every time
 */
async function writeBetweenOthers(draft: string, options: WriteOptions): Promise<boolean> {
  for (let tried = 0; tried < TRIES; tried++) {
    const mark = await currentMark();
    const counts = await writeDraft(draft, connection().db, options);
    if (!(await changedSince(mark, await listTables(connection().db), counts))) return true;
  }
  return false;
}

/** @returns how many rows each table had */
async function writeDraft(draft: string, db: Executor, { originals }: WriteOptions): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  async function* lines() {
    const migrations = await appliedMigrations(db);
    yield `${JSON.stringify({ format: BACKUP_FORMAT, version: 1, migrations, createdAt: new Date().toISOString() })}\n`;
    for (const table of await listTables(db)) {
      let rows = 0;
      for await (const batch of readTable(db, table)) {
        rows += batch.length;
        yield batch.map((line) => `{"${table.name}":${line}}\n`).join("");
      }
      counts.set(table.name, rows);
    }
    if (originals) yield* readOriginals();
    yield `${JSON.stringify({ $end: true })}\n`;
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(draft, { mode: 0o600 }));
  const handle = await open(draft, "r+");
  await handle.sync().finally(() => handle.close());
  return counts;
}

async function* readOriginals(): AsyncGenerator<string> {
  const folder = dataPaths(env().dataDir).files;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith(".part")) continue;
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path).split(sep).join("/");
    yield `${JSON.stringify({ $original: { key, base64: (await readFile(path)).toString("base64") } })}\n`;
  }
}
