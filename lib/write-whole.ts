import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HOUR_MS } from "./durations.ts";
import { syncFolder } from "./sync-folder.ts";

/** `<file>.<uuid>.part`; earlier releases had no uuid. */
const DRAFT_NAME = /^(.+?)(?:\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.part$/;
/** A draft that was not written for this long belongs to a process that died. */
const LEFT_AFTER_MS = HOUR_MS;

/**
 * Writes a file that appears complete or not at all. Processes that write the same file at the same time do not
 * disturb each other: the last one wins.
 * @param write creates the file at the path that it gets
 */
export async function writeWhole(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  await removeLeftDrafts(dirname(file), (name) => name === basename(file));
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await write(draft);
    await rename(draft, file);
    await syncFolder(dirname(file));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the drafts of processes that died, of the files in a folder that `belongs` names. */
export async function removeLeftDrafts(folder: string, belongs: (name: string) => boolean): Promise<void> {
  // a folder that cannot be listed can perhaps be written
  for (const name of await readdir(folder).catch(() => [])) {
    const [, target] = DRAFT_NAME.exec(name) ?? [];
    if (target === undefined || !belongs(target)) continue;
    const draft = join(folder, name);
    const info = await stat(draft).catch(() => null);
    if (info && Date.now() - info.mtimeMs > LEFT_AFTER_MS) await rm(draft, { force: true });
  }
}
