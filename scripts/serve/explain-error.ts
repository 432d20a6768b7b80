import { env } from "../../lib/env.ts";

// by name, to avoid importing the modules of these errors
const EXPECTED_ERRORS = new Set(["StartError", "EnvironmentError", "DatabaseNewerThanCode", "FolderInUseError"]);
/** PostgreSQL's code for a change in a read-only transaction. */
const READ_ONLY = "25006";

/** Describes an error that ends a process: one line if the error is expected, else everything about it. */
export function explain(error: unknown): string {
  if (error instanceof Error && EXPECTED_ERRORS.has(error.name)) return error.message;
  const code = codeOf(error);
  const { host, port } = env();
  if (code === "EADDRINUSE")
    return `port ${port} is in use. Stop the program that uses it, or set PORT to another port.`;
  if (code === "EACCES" && isListening(error))
    return `this user is not allowed to use port ${port}. Set PORT to a port above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `this machine does not have the address ${host}. Set HOST to one of its addresses.`;
  if (code === READ_ONLY)
    return "the database accepts no changes. Set DATABASE_URL to a server that accepts them, or make the database writable.";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The code of an error, or of the cause of a failed query. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return "code" in error ? error.code : codeOf(error.cause);
}

function isListening(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}
