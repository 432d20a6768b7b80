import { distinctNames } from "@/lib/api-keys/distinct-names.ts";
import { listKeyChoices } from "@/lib/api-keys/service.ts";
import type { Actor } from "@/lib/audit/record.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import type { KeyChoice } from "./usage-filters.tsx";

/** Lists all keys with distinct names, sorted by name. */
export async function keyChoices(scope: TenantScope, actor: Actor): Promise<KeyChoice[]> {
  const names = distinctNames(await listKeyChoices(scope, actor));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
