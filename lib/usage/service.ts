import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { Period } from "../subscriptions/period.ts";
import { selectKeyCalls, sumServed } from "./queries.ts";
import { flushQueryLog } from "./record.ts";

export type KeyCall = Awaited<ReturnType<typeof listKeyCalls>>[number];

/**
 * Counts the requests that a plan's allowance is measured by: those that the API served in the period, by whole days in
 * UTC.
 */
export async function countServed(scope: TenantScope, actor: Actor, { start, end }: Period): Promise<number> {
  requireAdmin(scope, actor);
  await flushQueryLog();
  return scope.transaction((tx) => sumServed(tx, { companyId: scope.companyId, start, end }));
}

/** The newest calls of a key that are still in the log; none for another company's key. */
export async function listKeyCalls(
  scope: TenantScope,
  actor: Actor,
  apiKeyId: string,
  { errorsOnly = false, limit = 50 }: { errorsOnly?: boolean; limit?: number } = {},
) {
  requireAdmin(scope, actor);
  await flushQueryLog();
  return scope.transaction((tx) => selectKeyCalls(tx, { companyId: scope.companyId, apiKeyId, errorsOnly, limit }));
}
