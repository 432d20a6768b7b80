import { LRUCache } from "lru-cache";
import { type AuthenticatedKey, authenticateKey } from "../api-keys/authenticate.ts";
import { hashToken } from "../api-keys/key.ts";
import { allowsScope } from "../audit/key-scopes.ts";
import type { KeyScope } from "../db/column-values.ts";
import { withDatabaseTimeout } from "../db/database-outage.ts";
import { touchKey } from "../db/system/keys.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import { describeError } from "../describe-error.ts";
import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { consumeRateLimit, showRateLimit } from "../rate-limit.ts";
import { singleton } from "../singleton.ts";
import { describeNextStep } from "../subscriptions/next-step.ts";
import { nextStep, subscriptionState } from "../subscriptions/status.ts";
import type { ApiRequest } from "./api-request.ts";
import type { LogTrace } from "./request-log.ts";

const LAST_USE_INTERVAL_MS = 60_000;

/** Facts about a request, collected while it is handled. */
export interface Trace {
  ids: LogTrace;
  /** The scope that the request needs; missing until its key is known. */
  scope?: KeyScope;
  /** Whether the request asks a question, so that a refused one counts as such. */
  asks?: boolean;
  /** Sent with every response, including errors. */
  headers: Headers;
}

/** What a request needs. */
interface Requirements {
  scope: KeyScope;
  /** The error for a company with too many waiting requests, else null. */
  capacityRefusal?: ((companyId: CompanyId) => AppError | null) | undefined;
}

/** Keys by their hashed header. Under overload, reading each key again would take the time of many answers. */
const RECENTLY_REFUSED = singleton(
  "recentlyRefused",
  () => new LRUCache<string, AuthenticatedKey>({ max: 1_000, ttl: 1_000 }),
);

/**
 * Checks key, subscription, rate limit, scope and capacity, in this order.
 * @throws {AppError} Unauthorized, SubscriptionInactive, TooManyRequests, Forbidden, ServiceUnavailable
 */
export async function admit(
  request: Pick<ApiRequest, "headers">,
  { scope, capacityRefusal }: Requirements,
  trace: Trace,
): Promise<AuthenticatedKey> {
  const authorization = request.headers.get("authorization");
  const hash = capacityRefusal && authorization ? hashToken(authorization) : "";
  const lacksCapacity = ({ companyId }: AuthenticatedKey) => capacityRefusal?.(tenantScope(companyId).companyId);
  const known = RECENTLY_REFUSED.get().get(hash);
  // such a key may have been revoked since, so it is only ever refused
  const again = known && lacksCapacity(known);
  const key = again ? known : await withDatabaseTimeout(authenticateKey(authorization));
  trace.ids.companyId = key.companyId;
  trace.ids.keyId = key.id;
  trace.scope = scope;
  if (!again) recordLastUse(key);

  const rateLimit = rateLimitOf(key);
  const refusal = subscriptionRefusal(key, new Date());
  if (refusal) {
    await showRateLimit(rateLimit, trace.headers);
    throw refusal;
  }
  await consumeRateLimit(rateLimit, trace.headers);
  requireScope(key, scope);
  const busy = again ?? lacksCapacity(key);
  if (!busy) return key;
  if (!again) RECENTLY_REFUSED.get().set(hash, key);
  throw busy;
}

/**
 * Checks the key of an admitted request again, because its body may have taken long to arrive.
 * @throws {AppError} Unauthorized, SubscriptionInactive, Forbidden
 */
export async function admitAgain(request: Pick<ApiRequest, "headers">, scope: KeyScope): Promise<void> {
  const key = await withDatabaseTimeout(authenticateKey(request.headers.get("authorization")));
  const refusal = subscriptionRefusal(key, new Date());
  if (refusal) throw refusal;
  requireScope(key, scope);
}

function requireScope({ scopes }: AuthenticatedKey, scope: KeyScope): void {
  if (allowsScope(scopes, scope)) return;
  throw new AppError("Forbidden", `This API key does not have the scope "${scope}". Use a key that has it.`, {
    fields: { requiredScope: scope },
  });
}

/** The rate limit of a key, for a request that counts more than once. */
export function rateLimitOf({ id, rateLimitPerMinute }: AuthenticatedKey): { id: string; perMinute: number } {
  return { id, perMinute: rateLimitPerMinute ?? env().rateLimitPerMinute };
}

/** The 403 error of an inactive subscription, with the step that the dashboard offers; null while the API answers. */
function subscriptionRefusal({ subscription }: AuthenticatedKey, now: Date): AppError | null {
  const state = subscriptionState(subscription, now);
  if (state.served) return null;
  const facts = { state, nextStep: nextStep(subscription, now), canChange: env().selfService };
  return new AppError("SubscriptionInactive", `${state.reason}. ${describeNextStep(facts) ?? ""}`.trim(), {
    fields: { subscriptionStatus: state.status },
  });
}

/** Records the use in the background, at most once a minute. */
function recordLastUse({ id, lastUsedAt }: AuthenticatedKey): void {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < LAST_USE_INTERVAL_MS) return;
  touchKey(id).catch((error) =>
    log().warn({ keyId: id, error: describeError(error) }, "the last use of a key could not be recorded"),
  );
}
