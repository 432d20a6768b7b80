import { lstat, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

/** A file to take in. `sourceId` is its path below the folder that was given, with forward slashes, or its name. */
export interface WalkedFile {
  path: string;
  sourceId: string;
}

/**
 * Expands files and folders into files, sorted by `sourceId`. Hidden entries are skipped, and links that lead out of the
 * folder that was given are not followed; each file comes once.
 * @throws the system's error when a given path does not exist
 */
export async function walkFiles(given: string[]): Promise<WalkedFile[]> {
  const files = new Map<string, WalkedFile>();
  for (const start of given) {
    const root = await realpath(start);
    const found = (await stat(root)).isDirectory()
      ? await walkFolder(root, root, new Set([root]))
      : [{ path: root, sourceId: path.basename(start) }];
    for (const file of found) if (!files.has(file.path)) files.set(file.path, file);
  }
  return [...files.values()].sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
}

async function walkFolder(folder: string, root: string, visited: Set<string>): Promise<WalkedFile[]> {
  const files: WalkedFile[] = [];
  for (const name of await readdir(folder)) {
    const entry = path.join(folder, name);
    const target = name.startsWith(".") ? null : await resolveInside(entry, root);
    if (target === null) continue;
    const info = await stat(target);
    if (info.isFile()) files.push({ path: target, sourceId: sourceIdOf(entry, root) });
    if (!info.isDirectory() || visited.has(target)) continue;
    visited.add(target);
    files.push(...(await walkFolder(entry, root, visited)));
  }
  return files;
}

/** Where an entry really is; null for a link that leads nowhere or out of the root. */
async function resolveInside(entry: string, root: string): Promise<string | null> {
  if (!(await lstat(entry)).isSymbolicLink()) return entry;
  try {
    const target = await realpath(entry);
    return target.startsWith(root + path.sep) ? target : null;
  } catch {
    // The link dangles: there is no file to take in.
    return null;
  }
}

function sourceIdOf(entry: string, root: string): string {
  return path.relative(root, entry).split(path.sep).join("/").normalize("NFC");
}
