import { AppError } from "./errors.ts";

/** Of the operating system: no space, and no quota; then PostgreSQL's own. */
const FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);

/** Whether an error, or what caused it, means that a disk is full: of the files, or of the database. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && FULL.has(error.code)) return true;
  return isDiskFull(error.cause);
}

/** 507 in one wording. */
export function diskFull(cause?: unknown): AppError {
  const message = "The server's disk is full, so nothing was stored. Free some space, then retry.";
  return new AppError("InsufficientStorage", message, { cause });
}
