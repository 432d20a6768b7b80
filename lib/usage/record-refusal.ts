import { LRUCache } from "lru-cache";
import { tenantScope } from "../db/tenant.ts";
import type { AppError, ErrorName } from "../errors.ts";
import { shortened } from "../text.ts";
import { recordQuery } from "./record.ts";

/** A caller who does not stop would fill the log with these. */
const REPEATING: readonly ErrorName[] = ["TooManyRequests", "SubscriptionInactive"];
const MAX_ERROR_LENGTH = 500;
const noted = new LRUCache<string, true>({ max: 10_000, ttl: 1_000 });

interface RefusedCall {
  requestId: string;
  companyId: string;
  keyId: string;
  durationMs: number;
}

/** Notes a call of a known key that was not answered, so that it can be found by its id; those that repeat once a second. */
export function recordRefusal(call: RefusedCall, { error, statusCode, message }: AppError): void {
  if (REPEATING.includes(error)) {
    const repeated = `${call.keyId} ${error}`;
    if (noted.has(repeated)) return;
    noted.set(repeated, true);
  }
  recordQuery(tenantScope(call.companyId).companyId, {
    id: call.requestId,
    at: new Date(),
    origin: "api",
    apiKeyId: call.keyId,
    durationMs: Math.round(call.durationMs),
    statusCode,
    // it may quote what a caller sent
    error: shortened(`${error}: ${message}`, MAX_ERROR_LENGTH),
  });
}
