import { deepStrictEqual, rejects } from "node:assert/strict";
import { authenticateKey } from "../../lib/api-keys/authenticate.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { admit } from "../../lib/http/admit.ts";
import type { CompanyModel } from "./store-model.ts";
import type { RealCompany, RealKey } from "./store-world.ts";

/**
 * Checks that a key opens its company while the subscription is active, and that a replaced key works until its end alone.
 * @returns the policy with which the key retrieves
 */
export async function checkAdmission(
  { subscription }: CompanyModel,
  { scope }: RealCompany,
  { token, policy, replaced }: RealKey,
): Promise<KeyPolicy> {
  const isCancelled = subscription === "cancelled";
  if (isCancelled) await rejects(ask(token), { error: "SubscriptionInactive" });
  const key = await (isCancelled ? authenticateKey(bearer(token)) : ask(token));
  deepStrictEqual([key.companyId, key.policy], [scope.companyId, policy], "the key opens its company");
  if (replaced) await checkReplaced(replaced);
  return key.policy;
}

/** Sends a request with a key as far as its admission. */
function ask(token: string) {
  const headers = new Headers({ authorization: bearer(token) });
  return admit({ headers }, { scope: "retrieve" }, { ids: { requestId: crypto.randomUUID() }, headers: new Headers() });
}

async function checkReplaced({ id, token, ends }: NonNullable<RealKey["replaced"]>): Promise<void> {
  const overlaps = ends === "in an hour";
  if (overlaps) deepStrictEqual((await authenticateKey(bearer(token))).id, id, "a replaced key works in its overlap");
  const later = new Date(Date.now() + (overlaps ? 1.1 * HOUR_MS : 0));
  await rejects(authenticateKey(bearer(token), later), { error: "Unauthorized" });
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}
