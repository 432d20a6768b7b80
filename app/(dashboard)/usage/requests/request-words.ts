import type { LoggedRequest } from "@/lib/usage/log.ts";
import { ADAPTER_NAMES } from "../interface-names.ts";

/** The question, or why the log does not have it. */
export function questionOf({ queryText, queryHash, statusCode }: LoggedRequest): string {
  if (queryText !== null) return queryText;
  if (queryHash !== null) return `Stored as a hash: ${queryHash.slice(0, 12)}…`;
  return statusCode >= 400 ? "Refused request" : "Not stored";
}

/** The name of the member or key that sent the request. */
export function callerOf({ origin, via, keyName, memberName }: LoggedRequest): string {
  if (origin === "playground") return memberName ?? "A former member";
  if (origin === "cli") return "Command line";
  const key = keyName ?? "A deleted key";
  return via ? `${key} via ${ADAPTER_NAMES[via]}` : key;
}
