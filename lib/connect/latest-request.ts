import { z } from "zod";
import { getKey } from "../api-keys/service.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { listKeyCalls } from "../usage/service.ts";

export const latestRequestInput = z.strictObject({ keyId: z.uuid(), since: z.date().nullable() });

/** The newest request of a key since an instant. A request that is not in the log, such as one that adds knowledge, has no status. */
export interface LatestRequest {
  at: Date;
  statusCode: number | null;
  error: string | null;
}

/** What one look found. */
interface Look {
  /** For the next look, because the clock of the browser may differ. */
  since: Date;
  /** Null when the key was not used. */
  request: LatestRequest | null;
}

/**
 * Says whether a key was used since an instant.
 * @param input.since null for now
 * @throws {AppError} NotFound; Forbidden for support staff
 */
export async function latestRequestOf(
  scope: TenantScope,
  actor: Actor,
  { keyId, since: from }: z.output<typeof latestRequestInput>,
): Promise<Look> {
  const since = from ?? new Date();
  const { lastUsedAt } = await getKey(scope, actor, keyId);
  const [call] = await listKeyCalls(scope, actor, keyId, { limit: 1 });
  return { since, request: requestSince(since, call, lastUsedAt) };
}

function requestSince(since: Date, call: LatestRequest | undefined, lastUsedAt: Date | null): LatestRequest | null {
  if (call && call.at >= since) return { at: call.at, statusCode: call.statusCode, error: call.error };
  return lastUsedAt && lastUsedAt >= since ? { at: lastUsedAt, statusCode: null, error: null } : null;
}
