import { AppError } from "../errors.ts";
import { withTimeout } from "../timeout.ts";
import { openConnection } from "./client.ts";
import { recordAnswer, recordReadOnly, recordTimeout } from "./replace-pool.ts";
import { DATABASE_TIMEOUTS } from "./timeouts.ts";

/** Of a change in a read-only transaction: the database was made read-only, or is a standby. */
const READ_ONLY = "25006";

/**
 * Codes of postgres.js, of the operating system, and of PostgreSQL while it starts, stops or has no free connection.
 */
const UNAVAILABLE_CODES = new Set([
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  READ_ONLY,
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

/** Whether an error, or its cause, means that the database is unreachable or unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (UNAVAILABLE_CODES.has(code)) return true;
  // the socket of the embedded database is missing
  if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  return isDatabaseUnavailable(error.cause);
}

/** Whether an error, or its cause, means that the database accepts no changes. */
function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === READ_ONLY) || isReadOnly(error.cause);
}

/** Notices by an error that connections are read-only, which they may stay when the database accepts changes again. */
export function noticeReadOnly(error: unknown): void {
  const pool = openConnection();
  if (pool && isReadOnly(error)) recordReadOnly(pool);
}

/**
 * Wraps the first query of a request: a database that does not answer in time counts as unavailable, so the caller does
 * not wait. Connections that seem dead are replaced.
 */
export async function withDatabaseTimeout<T>(lookup: Promise<T>): Promise<T> {
  const pool = openConnection();
  if (!pool) return withTimeout(lookup, DATABASE_TIMEOUTS.firstQueryMs, databaseUnavailable);
  // a late answer is an answer too
  lookup.then(
    () => recordAnswer(pool),
    () => undefined,
  );
  return withTimeout(lookup, DATABASE_TIMEOUTS.firstQueryMs, () => {
    recordTimeout(pool, lookup);
    return databaseUnavailable();
  });
}

/** Waits for a query that takes milliseconds as long as it takes, and notices by it that connections are dead. */
export async function watchDatabase<T>(query: Promise<T>): Promise<T> {
  withDatabaseTimeout(query).catch(() => undefined);
  return query;
}

export function databaseUnavailable(cause?: unknown): AppError {
  const state = isReadOnly(cause) ? "accepts no changes at the moment" : "is unavailable";
  return new AppError("ServiceUnavailable", `The database ${state}. Retry in a few seconds.`, {
    headers: { "Retry-After": "2" },
    cause,
  });
}
