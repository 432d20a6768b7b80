import type { KeyScope } from "../db/column-values.ts";

/** Whether the scopes of a key contain the required one. `manage` contains `ingest`. */
export function allowsScope(scopes: readonly KeyScope[], required: KeyScope): boolean {
  return scopes.includes(required) || (required === "ingest" && scopes.includes("manage"));
}
