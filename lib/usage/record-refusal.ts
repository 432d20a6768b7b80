import { LRUCache } from "lru-cache";
import type { Adapter } from "../db/column-values.ts";
import { tenantScope } from "../db/tenant.ts";
import type { AppError, ErrorName } from "../errors.ts";
import { shortened } from "../text.ts";
import { recordQuery } from "./record.ts";

/** Errors with which a caller that keeps retrying would fill the log. */
const REPEATING_ERRORS: readonly ErrorName[] = ["TooManyRequests", "SubscriptionInactive"];
const MAX_ERROR_LENGTH = 500;
const recentRefusals = new LRUCache<string, true>({ max: 10_000, ttl: 1_000 });

interface RefusedCall {
  requestId: string;
  companyId: string;
  keyId: string;
  via?: Adapter | undefined;
  origin: "api" | "manage";
  durationMs: number;
  /** As sent: an adapter may send another status than our own API. */
  statusCode: number;
}

/** Logs a refused call of a known key, so that it can be found by its id. Repeating errors are logged once a second. */
export function recordRefusal(call: RefusedCall, { error, message }: AppError): void {
  if (REPEATING_ERRORS.includes(error)) {
    const repeated = `${call.keyId} ${error}`;
    if (recentRefusals.has(repeated)) return;
    recentRefusals.set(repeated, true);
  }
  recordQuery(tenantScope(call.companyId).companyId, {
    id: call.requestId,
    at: new Date(),
    origin: call.origin,
    via: call.via ?? null,
    apiKeyId: call.keyId,
    durationMs: Math.round(call.durationMs),
    statusCode: call.statusCode,
    // may quote what the caller sent
    error: shortened(`${error}: ${message}`, MAX_ERROR_LENGTH),
  });
}
