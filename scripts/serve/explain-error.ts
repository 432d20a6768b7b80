import { env } from "../../lib/env.ts";

// by name, to avoid importing the modules of these errors
const EXPECTED_ERRORS = new Set(["StartError", "EnvironmentError", "DatabaseNewerThanCode", "FolderInUseError"]);

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
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isListening(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}
