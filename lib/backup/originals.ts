import { access, readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { versionOriginals } from "../db/system/backup.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { isKey } from "../storage/index.ts";

/**
 * The originals in `DATA_DIR` with these keys as lines of a backup, except those in `kept`; keys of the originals read
 * are added to `kept`.
 */
export async function* readOriginals(keys: Set<string>, kept: Set<string>): AsyncGenerator<string> {
  const folder = dataPaths(env().dataDir).files;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullIfGone);
  for (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path).split(sep).join("/");
    // skip drafts, uploads that no source has yet, and files that others put there
    if (!entry.isFile() || !isKey(key) || !keys.has(key)) continue;
    const bytes = kept.has(key) ? null : await readFile(path).catch(nullIfGone);
    if (bytes === null) continue;
    kept.add(key);
    yield `${JSON.stringify({ $original: { key, base64: bytes.toString("base64") } })}\n`;
  }
}

/** Counts the needed originals that are missing in `DATA_DIR`; a bucket is not checked. */
export async function missingOriginals(): Promise<{ needed: number; missing: number; folder: string }> {
  const folder = dataPaths(env().dataDir).files;
  const needed = env().supabase ? new Set<string>() : (await versionOriginals()).needed;
  let missing = 0;
  for (const key of needed) if ((await access(join(folder, key)).catch(nullIfGone)) === null) missing++;
  return { needed: needed.size, missing, folder };
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
