import { databaseUnavailable, isDatabaseUnavailable, noticeReadOnly } from "../db/database-outage.ts";
import { diskFull, isDiskFull } from "../disk-full.ts";
import { AppError, type ErrorName } from "../errors.ts";
import { ObjectStoreError } from "../storage/object-store.ts";

const OUTAGES: ReadonlySet<ErrorName> = new Set<ErrorName>(["ServiceUnavailable", "InsufficientStorage"]);

/**
 * The error to show when something that Ragstone needs is unavailable: 503 for the database or the file storage, 507 for
 * a full disk. Null for other errors.
 */
export function outageOf(error: unknown): AppError | null {
  if (error instanceof AppError) return OUTAGES.has(error.error) ? error : null;
  if (isDatabaseUnavailable(error)) {
    noticeReadOnly(error);
    return databaseUnavailable(error);
  }
  if (isDiskFull(error)) return diskFull(error);
  if (error instanceof ObjectStoreError && error.isUnavailable) {
    return new AppError("ServiceUnavailable", "The file storage is unavailable. Retry in a few minutes.", {
      headers: { "Retry-After": "60" },
      cause: error,
    });
  }
  return null;
}
