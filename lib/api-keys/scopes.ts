/** What a key may do: search; add and follow sources; or everything with sources. */
const KEY_SCOPES = ["retrieve", "ingest", "manage"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Whether the scopes of a key contain the required one. `manage` contains `ingest`. */
export function allowsScope(scopes: readonly KeyScope[], required: KeyScope): boolean {
  return scopes.includes(required) || (required === "ingest" && scopes.includes("manage"));
}
