import { access, constants, stat } from "node:fs/promises";
import { extname } from "node:path";

const FILE_BYTES_MAX = 50 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

/** Why a file cannot be ingested, before it is read or stored; null if it can. */
export async function findProblem(path: string): Promise<string | null> {
  try {
    await access(path, constants.R_OK);
    const { size } = await stat(path);
    // .jsonl has no size limit, because it is read line by line
    if (size <= FILE_BYTES_MAX || isLines(path)) return null;
    return `The file is larger than 50 MB (${Math.ceil(size / MEBIBYTE)} MB). Split it and add the parts.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether a file has one source per line. */
export function isLines(path: string): boolean {
  return extname(path).toLowerCase() === ".jsonl";
}
