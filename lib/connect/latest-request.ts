import { z } from "zod";
import { getKey } from "../api-keys/service.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { knowledgeCallsOf } from "../usage/knowledge-calls.ts";
import { listKeyCalls } from "../usage/service.ts";

/** `since` and `served` are those of the first poll; without `since`, the poll begins now. */
export const latestRequestInput = z.strictObject({
  keyId: z.uuid(),
  since: z.date().nullable(),
  served: z.int().nullable(),
});

/** Answered calls that manage knowledge are counted by day, so a change within this time shows a new one. */
const COUNTED_DAYS = 2;

/** The newest request of a key since the first poll. */
export interface LatestRequest {
  /** Why it was refused; null when it was answered. */
  error: string | null;
}

/** What one poll found. */
interface Poll {
  /** For the next poll, because the clock of the browser may differ. */
  since: Date;
  /** The key's answered calls that manage knowledge, which are not in the log. For the next poll. */
  served: number;
  /** Null when the key was not used. */
  request: LatestRequest | null;
}

/**
 * Says whether a key was used since the first poll.
 * @throws {AppError} NotFound; Forbidden for support staff
 */
export async function latestRequestOf(
  scope: TenantScope,
  actor: Actor,
  { keyId, since: from, served: before }: z.output<typeof latestRequestInput>,
): Promise<Poll> {
  const since = from ?? new Date();
  const { lastUsedAt } = await getKey(scope, actor, keyId);
  const [call] = await listKeyCalls(scope, actor, keyId, { limit: 1 });
  const counts = await knowledgeCallsOf(scope, actor, { days: COUNTED_DAYS, sender: keyId });
  const served = counts.reduce((sum, { calls, errors }) => sum + calls - errors, 0);
  // all calls of a new key are new
  const first = before ?? (from ? 0 : served);
  const poll = { since, served: first };
  const isAnswered = served > first;
  if (!isAnswered && call && call.at >= since) return { ...poll, request: { error: call.error } };
  const isUsed = lastUsedAt !== null && lastUsedAt >= since;
  return { ...poll, request: isAnswered || isUsed ? { error: null } : null };
}
