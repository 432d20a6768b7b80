import { distinctNames } from "@/lib/api-keys/distinct-names.ts";
import { listKeyChoices } from "@/lib/api-keys/service.ts";
import { isLive } from "@/lib/api-keys/status.ts";
import type { Actor } from "@/lib/audit/record.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";

/** A key that a test question can be asked as. */
export interface KeyOption {
  id: string;
  name: string;
}

/** The keys that the API accepts, by names that tell them apart. */
export async function keyOptions(scope: TenantScope, actor: Actor): Promise<KeyOption[]> {
  const keys = (await listKeyChoices(scope, actor)).filter(({ status }) => isLive(status));
  const names = distinctNames(keys);
  return keys.map(({ id, name }) => ({ id, name: names.get(id) ?? name }));
}
