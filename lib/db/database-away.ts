import { AppError } from "../errors.ts";

/** So that the answer comes within three seconds. */
const PATIENCE_MS = 2_500;

/** Of postgres.js, of the operating system, and of PostgreSQL itself while it starts, ends or is full. */
const AWAY = new Set([
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
  "25006",
  "53300",
  "57P01",
  "57P02",
  "57P03",
]);

/** Whether an error, or what caused it, means that the database cannot be reached or does not serve now. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (AWAY.has(code)) return true;
  // the socket of the embedded database, while nobody listens on it
  if (code === "ENOENT" && "syscall" in error && error.syscall === "connect") return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  return isDatabaseAway(error.cause);
}

/** The first question of a request to the database: one that hangs is away, and the caller does not wait with it. */
export async function inTime<T>(lookup: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(databaseAway()), PATIENCE_MS);
  return Promise.race([lookup, late.promise]).finally(() => clearTimeout(timer));
}

export function databaseAway(cause?: unknown): AppError {
  return new AppError("ServiceUnavailable", "The database is unavailable. Retry in a few seconds.", {
    headers: { "Retry-After": "2" },
    cause,
  });
}
