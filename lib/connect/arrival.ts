import { z } from "zod";
import { getKey } from "../api-keys/service.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { listKeyCalls } from "../usage/service.ts";

export const arrivalInput = z.strictObject({ keyId: z.uuid(), since: z.date() });

/** The newest request of a key since an instant. A request that is not in the log, such as one that adds knowledge, has no status. */
export interface Arrival {
  at: Date;
  statusCode: number | null;
  error: string | null;
}

/**
 * Says whether a key was used since an instant; null when it was not.
 * @throws {AppError} NotFound; Forbidden for support staff
 */
export async function arrivalOf(
  scope: TenantScope,
  actor: Actor,
  { keyId, since }: z.output<typeof arrivalInput>,
): Promise<Arrival | null> {
  const { lastUsedAt } = await getKey(scope, actor, keyId);
  const [call] = await listKeyCalls(scope, actor, keyId, { limit: 1 });
  if (call && call.at >= since) return { at: call.at, statusCode: call.statusCode, error: call.error };
  return lastUsedAt && lastUsedAt >= since ? { at: lastUsedAt, statusCode: null, error: null } : null;
}
