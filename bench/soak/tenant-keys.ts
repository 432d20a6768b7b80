import { createKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { KEY_SCOPES, type KeyScope } from "../../lib/db/column-values.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import { UNUSED_ALIAS } from "./tenant-ids.ts";

/** Tokens of a company's keys. The first may do everything. */
export type Tokens = [string, ...string[]];

/**
 * Creates keys of a company: one that may do everything, some with fewer scopes and some with a policy. One policy names
 * labels of the victim.
 */
export async function keysOf({ scope }: FilledCompany, victim: FilledCompany): Promise<Tokens> {
  const make = async (scopes: readonly KeyScope[], policy: KeyPolicy) => {
    const limits = { scopes: [...scopes], policy, rateLimitPerMinute: 0 };
    return (await createKey(scope, SYSTEM_ACTOR, { name: "Probe", ...limits })).token;
  };
  const policies: KeyPolicy[] = [
    // with the unused one, so that a request may name either
    { audience: [victim.alias, UNUSED_ALIAS] },
    { path: ["Policies"] },
    { answers: false, limit: 3 },
    { audience: ["copilot"] },
  ];
  const tokens: Tokens = [await make(KEY_SCOPES, {})];
  for (const only of ["retrieve", "ingest"] as const) tokens.push(await make([only], {}));
  for (const policy of policies) tokens.push(await make(KEY_SCOPES, policy));
  return tokens;
}
