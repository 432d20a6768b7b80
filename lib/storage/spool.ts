import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { diskFull, isDiskFull } from "../disk-full.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { writeSynced } from "./local.ts";

const TOUCH_EVERY_MS = 60_000;
/** A file that nobody touched for this long was left by a process that died. */
const LEFT_AFTER_MS = 10 * TOUCH_EVERY_MS;

/** A file on its way in: whole, on the disk, and hashed. */
export interface SpooledFile {
  path: string;
  byteLength: number;
  /** In hexadecimal. */
  sha256: string;
}

/**
 * Writes bytes to a temporary file as they come, so that they are never in memory together, and removes it after the work.
 * @throws {AppError} InsufficientStorage when the disk is full; whatever the bytes or the work throw
 */
export async function withSpooled<T>(
  bytes: AsyncIterable<Uint8Array>,
  work: (file: SpooledFile) => Promise<T>,
): Promise<T> {
  const folder = dataPaths(env().dataDir).incoming;
  const file = path.join(folder, randomUUID());
  const touch = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, TOUCH_EVERY_MS);
  touch.unref();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work({ path: file, ...(await write(file, bytes)) });
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error;
  } finally {
    clearInterval(touch);
    await rm(file, { force: true });
  }
}

/** Removes what processes that died have left. */
export async function sweepSpool(now = Date.now()): Promise<void> {
  const folder = dataPaths(env().dataDir).incoming;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const info = await stat(file).catch(() => null);
    if (info && now - info.mtimeMs > LEFT_AFTER_MS) await rm(file, { force: true });
  }
}

async function write(file: string, bytes: AsyncIterable<Uint8Array>): Promise<Omit<SpooledFile, "path">> {
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
