import { open } from "node:fs/promises";

/** Some network file systems, and Windows, cannot sync a folder. */
const NOT_SUPPORTED = ["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP"];

/**
 * Writes the names in a folder to disk, so that a file that was renamed into it survives a crash of the system. Does
 * nothing where the system cannot do it.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!NOT_SUPPORTED.includes(code)) throw error;
  }
}
