import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, for its owner alone, and those above it. Node's own recursive way never ends where the system lets nobody
 * make a folder and says that there is none, as below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // someone else was faster
    if (!existsSync(path)) throw error;
  }
}
