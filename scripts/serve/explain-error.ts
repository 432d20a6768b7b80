import { env } from "../../lib/env.ts";

// by name, to avoid importing the modules of these errors
const EXPECTED_ERRORS = new Set(["StartError", "EnvironmentError", "DatabaseNewerThanCode", "FolderInUseError"]);
/** PostgreSQL's code for a change in a read-only transaction. */
const READ_ONLY = "25006";

/** Describes an error that ends a process: one line if the error is expected, else everything about it. */
export function explain(error: unknown): string {
  if (error instanceof Error && EXPECTED_ERRORS.has(error.name)) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const { host, port } = env();
  if (code === "EADDRINUSE")
    return `port ${port} is in use. Stop the program that uses it, or set PORT to another port.`;
  if (code === "EACCES" && isListening(error))
    return `this user is not allowed to use port ${port}. Set PORT to a port above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `this machine does not have the address ${host}. Set HOST to one of its addresses.`;
  if (isReadOnly(error))
    return "the database accepts no changes. Set DATABASE_URL to a server that accepts them, or make the database writable.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A failed query has the database's error as its cause. */
function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === READ_ONLY) || isReadOnly(error.cause);
}

function isListening(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}
