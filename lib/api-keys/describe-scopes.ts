import { KEY_SCOPE_LABELS, KEY_SCOPES, type KeyScope } from "../db/column-values.ts";

/** Each scope for people: a name, and what a key with it may do. */
export const SCOPE_WORDS: Record<KeyScope, { name: string; hint: string }> = {
  retrieve: { name: KEY_SCOPE_LABELS.retrieve, hint: "Search the knowledge and get answers." },
  ingest: { name: KEY_SCOPE_LABELS.ingest, hint: "Add, replace and label sources, and follow their processing." },
  manage: { name: KEY_SCOPE_LABELS.manage, hint: "Also list, read, delete and restore sources." },
};

/** What a key may do, as in "Ask, Manage knowledge". */
export function describeScopes(scopes: readonly KeyScope[]): string {
  return KEY_SCOPES.filter((scope) => scopes.includes(scope) && !(scope === "ingest" && scopes.includes("manage")))
    .map((scope) => SCOPE_WORDS[scope].name)
    .join(", ");
}
