/** A file with the name it is known by: its path below the folder that was given, or its own name. */
export interface NamedFile {
  name: string;
  file: File;
}

/** What a system puts into folders for itself. */
const CLUTTER = /(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX\/|~\$)/;

/** The files of an `<input>`, of single files or of a folder. */
export function chosenFiles(list: FileList): NamedFile[] {
  return withoutClutter([...list].map((file) => ({ name: belowFolder(file.webkitRelativePath) || file.name, file })));
}

/** The files and folders of a drop, all the way down. */
export async function droppedFiles(transfer: DataTransfer): Promise<NamedFile[]> {
  // asked at once: after the event the items are gone
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = await Promise.all(entries.map((entry) => filesOf(entry)));
  return withoutClutter(found.flat());
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    const path = entry.fullPath.replace(/^\//, "");
    return [{ name: path.includes("/") ? belowFolder(path) : path, file }];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: NamedFile[] = [];
  for (;;) {
    // a reader answers a hundred at a time, and none at the end
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

function withoutClutter(files: NamedFile[]): NamedFile[] {
  return files.filter(({ name }) => !CLUTTER.test(name));
}
