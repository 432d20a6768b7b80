import type { LoggedRequest } from "@/lib/usage/log.ts";

/** The question, or why the log does not have it. */
export function questionOf({ queryText, queryHash, statusCode }: LoggedRequest): string {
  if (queryText !== null) return queryText;
  if (queryHash !== null) return `Stored as a hash: ${queryHash.slice(0, 12)}…`;
  return statusCode >= 400 ? "Refused before the body was read" : "Not stored";
}

/** The name of the member or key that sent the request. */
export function callerOf({ origin, keyName, memberName }: LoggedRequest): string {
  if (origin === "playground") return memberName ?? "A former member";
  return origin === "cli" ? "Command line" : (keyName ?? "A deleted key");
}
