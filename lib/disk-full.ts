import { AppError } from "./errors.ts";

/** Codes of the operating system (no space, quota exceeded) and of PostgreSQL. */
const DISK_FULL_CODES = new Set(["ENOSPC", "EDQUOT", "53100"]);

/** Whether an error, or its cause, means that the disk of the files or of the database is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && DISK_FULL_CODES.has(error.code)) return true;
  return isDiskFull(error.cause);
}

/** The 507 error for a full disk. */
export function diskFull(cause?: unknown): AppError {
  const message = "The server's disk is full, so nothing was stored. Free some space, then retry.";
  return new AppError("InsufficientStorage", message, { cause });
}
