import { env } from "../lib/env.ts";

/** A problem that its message explains to the operator. */
export class StartError extends Error {
  override name = "StartError";
}

// by name: this must not load what the errors come from
const FORESEEN = new Set(["StartError", "EnvironmentError", "DatabaseNewerThanCode", "FolderInUseError"]);

/** What the operator is told of an error that ends a process: one line when it is foreseen, else all that there is. */
export function explain(error: unknown): string {
  if (error instanceof Error && FORESEEN.has(error.name)) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const { host, port } = env();
  if (code === "EADDRINUSE")
    return `port ${port} is in use. Stop the program that uses it, or set PORT to another port.`;
  if (code === "EACCES" && isListening(error))
    return `this user may not use port ${port}. Set PORT to a port above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `this machine does not have the address ${host}. Set HOST to one of its addresses.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isListening(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "listen";
}
