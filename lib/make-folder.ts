import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, private to its owner, and its missing parents. Node's own recursive mkdir loops forever where the
 * system reports a folder as missing but cannot create it, as below /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process created it first
    if (!existsSync(path)) throw error;
  }
}
