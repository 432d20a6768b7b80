import type { TenantScope } from "../db/tenant.ts";
import type { Period } from "../subscriptions/period.ts";
import { selectKeyCalls, sumServed } from "./queries.ts";
import { flushQueryLog } from "./record.ts";

export type KeyCall = Awaited<ReturnType<typeof listKeyCalls>>[number];

/** What a plan's allowance is measured by: requests that the API served in the period, by whole days in UTC. */
export async function countServed(scope: TenantScope, { start, end }: Period): Promise<number> {
  await flushQueryLog();
  return scope.transaction((tx) => sumServed(tx, { companyId: scope.companyId, start, end }));
}

/** The newest calls of a key that the log still holds; of another company's key none. */
export async function listKeyCalls(
  scope: TenantScope,
  apiKeyId: string,
  { errorsOnly = false, limit = 50 }: { errorsOnly?: boolean; limit?: number } = {},
) {
  await flushQueryLog();
  return scope.transaction((tx) => selectKeyCalls(tx, { companyId: scope.companyId, apiKeyId, errorsOnly, limit }));
}
