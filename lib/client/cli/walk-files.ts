import { access, lstat, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { RagstoneError } from "../errors.ts";

/** A file to add. `sourceId` is its path below the given folder, with forward slashes, or its name. */
export interface WalkedFile {
  path: string;
  sourceId: string;
}

interface Walked {
  /** Sorted by `sourceId`, each file once. Only bulk files may have the same `sourceId`. */
  files: WalkedFile[];
  /** Files and folders that cannot be added. The others are still listed. */
  failed: { path: string; reason: string }[];
}

/** Maximum length of an identifier. */
const SOURCE_ID_MAX = 512;

/** Reading a pipe, socket or device could wait or run forever. */
const NOT_A_FILE = "it is a pipe, a socket or a device, not a file";
const BROKEN_LINK = "it is a link to a file or folder that does not exist";
/** It could show a file that nobody meant to add. */
export const LINK_OUT = "it is a link that leads out of the given folder, and is not followed";

/** The state of the walk through one given folder. */
interface Walk extends Walked {
  root: string;
  visited: Set<string>;
}

/** Stands for standard input. */
export const STDIN = "-";

/**
 * Resolves a path that a person typed, in the current folder by default.
 * @throws {RagstoneError} for a blank one, such as a variable of the shell that is not set: it would be the folder itself
 */
export function resolveTyped(typed: string, folder = process.cwd()): string {
  if (typed.trim() === "") throw new RagstoneError("The path is empty. Name a file or a folder.");
  return path.resolve(folder, typed);
}

/**
 * Resolves the paths that a person typed.
 * @throws {RagstoneError} if one of them is blank or does not exist
 */
export async function resolveExisting(given: string[], resolve: (path: string) => string): Promise<string[]> {
  const paths = given.map((typed) => (typed === STDIN ? STDIN : resolve(typed)));
  for (const [index, path] of paths.entries()) {
    if (path === STDIN) continue;
    await access(path).catch(() => {
      throw new RagstoneError(`${given[index]} does not exist or cannot be read. Nothing was ingested.`);
    });
  }
  return paths;
}

/**
 * Expands files and folders into files. Skips the hidden entries of a folder. Broken links and links that lead out of
 * the given folder fail.
 * @throws the system's error when a given path does not exist
 */
export async function walkFiles(given: string[]): Promise<Walked> {
  const files = new Map<string, WalkedFile>();
  const failed: Walked["failed"] = [];
  for (const start of given) {
    const root = await realpath(start);
    const walk: Walk = { root, visited: new Set([root]), files: [], failed };
    const info = await stat(root);
    if (info.isFile()) walk.files.push({ path: root, sourceId: nameOf(path.basename(start)) });
    else if (!info.isDirectory()) failed.push({ path: start, reason: NOT_A_FILE });
    else await walkFolder(root, walk).catch((error) => failed.push({ path: start, reason: messageOf(error) }));
    for (const file of walk.files) if (!files.has(file.path)) files.set(file.path, file);
  }
  const kept = refuseDuplicates([...files.values()], failed);
  return { files: kept.sort((a, b) => Number(a.sourceId > b.sourceId) - Number(a.sourceId < b.sourceId)), failed };
}

/** The name of a bulk file, from which its rows without an identifier derive theirs. */
export function bulkName({ path: file }: Pick<WalkedFile, "path">): string {
  return nameOf(path.basename(file));
}

/** Whether a file holds rows, which have identifiers of their own. */
export function isBulkFile(file: string): boolean {
  return [".jsonl", ".csv", ".xlsx"].includes(path.extname(file).toLowerCase());
}

/** Why a file is not added, when another one with its identifier is: the second would replace the first. */
export function duplicateFailure({ path: file, sourceId }: WalkedFile): Walked["failed"][number] {
  return { path: file, reason: `another given file has the same identifier: ${sourceId}` };
}

/** The files without those whose identifier an earlier one has. */
function refuseDuplicates(files: WalkedFile[], failed: Walked["failed"]): WalkedFile[] {
  const taken = new Set<string>();
  const kept: WalkedFile[] = [];
  for (const file of files) {
    if (taken.has(file.sourceId) && !isBulkFile(file.path)) failed.push(duplicateFailure(file));
    else kept.push(file);
    taken.add(file.sourceId);
  }
  return kept;
}

/** @throws the system's error when the folder itself cannot be read */
async function walkFolder(folder: string, walk: Walk): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(".")) continue;
    const entry = path.join(folder, name);
    await walkEntry(entry, walk).catch((error) => {
      walk.failed.push({ path: sourceIdOf(entry, walk.root), reason: reasonOf(error, name) });
    });
  }
}

async function walkEntry(entry: string, walk: Walk): Promise<void> {
  const target = await resolveInside(entry, walk.root);
  const info = await stat(target);
  const sourceId = sourceIdOf(entry, walk.root);
  if (info.isFile()) {
    if (sourceId.length > SOURCE_ID_MAX) throw new Error(`its path is longer than ${SOURCE_ID_MAX} characters`);
    walk.files.push({ path: target, sourceId });
    return;
  }
  if (!info.isDirectory()) throw new Error(NOT_A_FILE);
  if (walk.visited.has(target)) return;
  walk.visited.add(target);
  await walkFolder(entry, walk);
}

/** The real path of an entry. @throws Error for a link that is broken or leads out of the root */
async function resolveInside(entry: string, root: string): Promise<string> {
  if (!(await lstat(entry)).isSymbolicLink()) return entry;
  const target = await realpath(entry).catch((error: NodeJS.ErrnoException) => {
    throw ["ENOENT", "ELOOP", "ENOTDIR"].includes(error.code ?? "") ? new Error(BROKEN_LINK) : error;
  });
  const below = path.relative(root, target);
  // on Windows, the path to another drive is absolute
  if (below.split(path.sep)[0] === ".." || path.isAbsolute(below)) throw new Error(LINK_OUT);
  return target;
}

function sourceIdOf(entry: string, root: string): string {
  return nameOf(path.relative(root, entry).split(path.sep).join("/"));
}

/** Systems write the same accents composed or decomposed, and one file must not become two sources. */
function nameOf(file: string): string {
  return file.normalize("NFC");
}

/** Node reads a name that is not UTF-8 with replacement characters, so the file cannot be found by that name. */
function reasonOf(error: NodeJS.ErrnoException, name: string): string {
  return error.code === "ENOENT" && name.includes("\uFFFD") ? "its name is not valid UTF-8" : messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
