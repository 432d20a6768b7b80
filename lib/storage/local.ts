import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { diskFull, isDiskFull } from "../disk-full.ts";
import { type Content, checkKey, type ObjectStore, ObjectStoreError } from "./object-store.ts";

/**
 * Originals as files below a folder, readable by the owner of the process alone.
 * @param drafts a folder on the same disk for what is not whole yet
 */
export function localObjectStore(folder: string, drafts: string): ObjectStore {
  function fileOf(key: string): string {
    checkKey(key);
    return path.join(folder, key);
  }

  return {
    async put(key, content) {
      const file = fileOf(key);
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await mkdir(drafts, { recursive: true, mode: 0o700 });
        await putWhole(file, content, path.join(drafts, randomUUID()));
      } catch (error) {
        if (isDiskFull(error)) throw diskFull(error);
        throw new ObjectStoreError(`The original file cannot be written to ${folder}: ${codeOf(error)}.`, {
          cause: error,
        });
      }
    },
    async get(key) {
      const file = fileOf(key);
      try {
        return await readFile(file);
      } catch (error) {
        const missing = codeOf(error) === "ENOENT";
        const message = missing ? `The original file ${key} is missing from ${folder}.` : `${file}: ${codeOf(error)}.`;
        throw new ObjectStoreError(message, { away: !missing, cause: error });
      }
    },
    async has(key) {
      const file = fileOf(key);
      return access(file).then(
        () => true,
        () => false,
      );
    },
    async delete(key) {
      await rm(fileOf(key), { force: true });
    },
  };
}

/** A reader sees the whole file or none, whenever the process dies. */
async function putWhole(file: string, content: Content, draft: string): Promise<void> {
  try {
    if (content instanceof Uint8Array) await writeSynced(draft, content);
    // not every file system has links
    else await link(content.path, draft).catch(() => writeSynced(draft, createReadStream(content.path)));
    await rename(draft, file);
  } finally {
    // a link to what is there already stays after the renaming
    await rm(draft, { force: true });
  }
}

/** A new file, readable by its owner alone, that outlives the system's own end. */
export async function writeSynced(file: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
