import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";

/**
 * A file and the name that identifies it: its path below the chosen folder, or its file name. If more than one file or
 * folder was dropped, the path begins with the folder, because two folders may hold files of the same name.
 */
export interface NamedFile {
  name: string;
  file: File;
}

export interface LabelledFile extends NamedFile {
  labels: LabelsInput;
}

export interface CheckedFile extends LabelledFile {
  /** The audiences that the source does not have yet, and that the person confirmed. */
  widenTo: string[];
}

/** Hidden files, and files that an operating system or Office adds to folders. */
const SYSTEM_FILE = /(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX(\/|$)|~\$)/;

/** The files of an `<input>` for files or for a folder. */
export function chosenFiles(list: FileList): NamedFile[] {
  return withoutSystemFiles(
    [...list].map((file) => ({ name: belowFolder(file.webkitRelativePath) || file.name, file })),
  );
}

/** All files of a drop, including those in nested folders. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // read the items synchronously: they are gone after the event
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = (await Promise.all(entries.map((entry) => filesOf(entry)))).flat();
  const isOne = entries.filter(({ name }) => !SYSTEM_FILE.test(name)).length <= 1;
  return withoutSystemFiles(isOne ? found.map(({ name, file }) => ({ name: belowFolder(name), file })) : found);
}

/** The files of an entry, named by their path, which begins with the dropped folder. */
async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name: entry.fullPath.replace(/^\//, ""), file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: NamedFile[] = [];
  for (;;) {
    // a reader returns up to 100 entries per call, and none at the end
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...(await filesOf(each)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function belowFolder(path: string): string {
  return path.slice(path.indexOf("/") + 1);
}

function withoutSystemFiles(files: NamedFile[]): NamedFile[] {
  return files.filter(({ name }) => !SYSTEM_FILE.test(name));
}
