import { type AuthenticatedKey, authenticateKey } from "../api-keys/authenticate.ts";
import { withDatabaseTimeout } from "../db/database-away.ts";
import { touchKey } from "../db/system/keys.ts";
import { describeError } from "../describe-error.ts";
import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { consumeRateLimit, showRateLimit } from "../rate-limit.ts";
import { subscriptionState } from "../subscriptions/status.ts";

const TOUCH_EVERY_MS = 60_000;

/** What is known of a request before it is answered; whoever learns more writes it here. */
export interface Trace {
  requestId: string;
  /** Go with the answer, whatever it is. */
  headers: Headers;
  companyId?: string;
  keyId?: string;
}

/**
 * Key, subscription, rate limit, in this order.
 * @throws {AppError} Unauthorized, SubscriptionInactive, TooManyRequests, ServiceUnavailable
 */
export async function admit(request: Request, trace: Trace): Promise<AuthenticatedKey> {
  const key = await withDatabaseTimeout(authenticateKey(request.headers.get("authorization")));
  trace.companyId = key.companyId;
  trace.keyId = key.id;
  noteUse(key);

  const rateLimit = { id: key.id, perMinute: key.rateLimitPerMinute ?? env().rateLimitPerMinute };
  const { served, status, reason } = subscriptionState(key.subscription, new Date());
  if (!served) {
    await showRateLimit(rateLimit, trace.headers);
    throw new AppError("SubscriptionInactive", `${reason}. Activate the subscription to use the API`, {
      fields: { subscriptionStatus: status },
    });
  }
  await consumeRateLimit(rateLimit, trace.headers);
  return key;
}

/** Off the way of the request: its answer does not wait for it. */
function noteUse({ id, lastUsedAt }: AuthenticatedKey): void {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < TOUCH_EVERY_MS) return;
  touchKey(id).catch((error) => log().warn({ keyId: id, error: describeError(error) }, "last use not noted"));
}
