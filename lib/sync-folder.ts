import { open } from "node:fs/promises";

/** Writes the names in a folder to disk, so that a file that was renamed into it survives a crash of the system. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
