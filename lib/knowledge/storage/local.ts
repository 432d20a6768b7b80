import { randomUUID } from "node:crypto";
import { access, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { checkKey, type ObjectStore, ObjectStoreError } from "./object-store.ts";

/** Originals as files below a folder, readable by the owner of the process alone. */
export function localObjectStore(folder: string): ObjectStore {
  function fileOf(key: string): string {
    checkKey(key);
    return path.join(folder, key);
  }

  return {
    async put(key, bytes) {
      const file = fileOf(key);
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeWhole(file, bytes);
      } catch (error) {
        throw new ObjectStoreError(`The original cannot be written to ${folder}: ${codeOf(error)}.`, { cause: error });
      }
    },
    async get(key) {
      const file = fileOf(key);
      try {
        return await readFile(file);
      } catch (error) {
        const missing = codeOf(error) === "ENOENT";
        const message = missing ? `The original ${key} is missing from ${folder}.` : `${file}: ${codeOf(error)}.`;
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
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
