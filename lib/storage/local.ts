import { randomUUID } from "node:crypto";
import { constants, createReadStream, type ReadStream } from "node:fs";
import { access, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { diskFull, isDiskFull } from "../disk-full.ts";
import { syncFolder } from "../sync-folder.ts";
import { type Content, checkCompanyId, checkKey, type ObjectStore, ObjectStoreError } from "./object-store.ts";

/**
 * Stores originals as files below a folder, readable only by the owner of the process.
 * @param drafts a folder on the same disk for unfinished files
 */
export function localObjectStore(folder: string, drafts: string): ObjectStore {
  function fileOf(key: string): string {
    checkKey(key);
    return path.join(folder, key);
  }

  function unreadable(key: string, file: string, error: unknown): ObjectStoreError {
    const missing = codeOf(error) === "ENOENT";
    const message = missing ? `The original file ${key} is missing from ${folder}.` : `${file}: ${codeOf(error)}.`;
    return new ObjectStoreError(message, { isUnavailable: !missing, cause: error });
  }

  return {
    async put(key, content) {
      const file = fileOf(key);
      try {
        const created = await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
        await mkdir(drafts, { recursive: true, mode: 0o700 });
        await putWhole(file, content, path.join(drafts, randomUUID()));
        if (created) await syncFolder(path.dirname(created));
      } catch (error) {
        if (isDiskFull(error)) throw diskFull(error);
        throw new ObjectStoreError(`The original file cannot be written to ${folder}: ${codeOf(error)}.`, {
          cause: error,
        });
      }
    },
    async get(key) {
      const file = fileOf(key);
      return readFile(file).catch((error: unknown) => {
        throw unreadable(key, file, error);
      });
    },
    async open(key) {
      const file = fileOf(key);
      await access(file, constants.R_OK).catch((error: unknown) => {
        throw unreadable(key, file, error);
      });
      return webStream(file);
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
    async deleteAll(companyId) {
      checkCompanyId(companyId);
      // retried, because an upload may add a file in between
      await rm(path.join(folder, companyId), { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Writes atomically: a reader sees the whole file or none, even if the process dies. */
async function putWhole(file: string, content: Content, draft: string): Promise<void> {
  try {
    if (content instanceof Uint8Array) await writeSynced(draft, content);
    // not every file system supports links
    else await link(content.path, draft).catch(() => writeSynced(draft, createReadStream(content.path)));
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } finally {
    // rename does nothing when both names already link to the same file, so the draft may remain
    await rm(draft, { force: true });
  }
}

/** Creates a file that only its owner can read, and syncs it to disk so that it survives a crash of the system. */
export async function writeSynced(file: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens the file when its first part is read: a response whose body nobody reads leaves no file open. */
function webStream(file: string): ReadableStream<Uint8Array> {
  let stream: ReadStream | undefined;
  let parts: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        stream ??= createReadStream(file);
        parts ??= stream[Symbol.asyncIterator]();
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void stream?.destroy(),
    },
    { highWaterMark: 0 },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
