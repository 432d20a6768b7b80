import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { diskFull, isDiskFull } from "../disk-full.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { writeSynced } from "./local.ts";

const TOUCH_EVERY_MS = 60_000;
/** A file that was not touched for this long belongs to a process that died. */
const LEFT_AFTER_MS = 10 * TOUCH_EVERY_MS;

/** A complete upload in a temporary file, with its hash. */
export interface SpooledFile {
  path: string;
  byteLength: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Temporary files, which stay until they are cleared. */
interface Spool {
  /** Streams bytes to a new file, so that they are never all in memory. @throws {AppError} InsufficientStorage */
  add(bytes: Parts): Promise<SpooledFile>;
  /** Deletes the files. */
  clear(): Promise<void>;
}

type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Streams bytes to a temporary file, so that they are never all in memory, and deletes the file after the work.
 * @throws {AppError} InsufficientStorage when the disk is full; also any error of the stream or the work
 */
export async function withSpooled<T>(
  bytes: AsyncIterable<Uint8Array>,
  work: (file: SpooledFile) => Promise<T>,
): Promise<T> {
  const spool = openSpool();
  try {
    return await work(await spool.add(bytes));
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error;
  } finally {
    await spool.clear();
  }
}

/** Opens a spool, which its caller clears. */
export function openSpool(): Spool {
  const folder = dataPaths(env().dataDir).incoming;
  const files = new Map<string, NodeJS.Timeout>();
  return {
    async add(bytes) {
      const file = path.join(folder, randomUUID());
      files.set(file, keepTouching(file));
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        return { path: file, ...(await write(file, bytes)) };
      } catch (error) {
        throw isDiskFull(error) ? diskFull(error) : error;
      }
    },
    async clear() {
      const all = [...files];
      files.clear();
      for (const [, touching] of all) clearInterval(touching);
      for (const [file] of all) await rm(file, { force: true });
    },
  };
}

function keepTouching(file: string): NodeJS.Timeout {
  const touching = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, TOUCH_EVERY_MS);
  return touching.unref();
}

/** Deletes the files of processes that died. */
export async function sweepSpool(now = Date.now()): Promise<void> {
  const folder = dataPaths(env().dataDir).incoming;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const info = await stat(file).catch(() => null);
    if (info && now - info.mtimeMs > LEFT_AFTER_MS) await rm(file, { force: true });
  }
}

async function write(file: string, bytes: Parts): Promise<Omit<SpooledFile, "path">> {
  const hash = createHash("sha256");
  let byteLength = 0;
  async function* measured() {
    for await (const part of bytes) {
      hash.update(part);
      byteLength += part.byteLength;
      yield part;
    }
  }
  await writeSynced(file, measured());
  return { byteLength, sha256: hash.digest("hex") };
}
