import { requirePerson } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { getCompany } from "../companies/service.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { readSettings } from "../retrieval/logged-settings.ts";
import { retrieve } from "../retrieval/service.ts";
import { getRequest } from "../usage/log.ts";
import { flushQueryLog } from "../usage/record.ts";
import { countRun, policyOfLiveKey } from "./run.ts";

interface AskAgain {
  /** The request to repeat. */
  id: string;
  /** The id of the new request. */
  requestId: string;
}

/**
 * Asks the question of a logged request again, with its settings, the policy that its key has now, and today's
 * knowledge. It is logged as a playground run, so it does not count as a request of the key. Once the key no longer
 * works, its policy at that time applies.
 * @returns the id of the new request, which is in the log
 * @throws {AppError} TooManyRequests; NotFound; Conflict when the log does not hold enough to repeat the request, or
 * would not hold enough to compare the new one; Forbidden when the key no longer allows answers
 */
export async function askAgain(scope: TenantScope, actor: Actor, { id, requestId }: AskAgain): Promise<string> {
  const { id: userId } = requirePerson(scope, actor);
  const logged = await getRequest(scope, actor, id);
  const settings = readSettings(logged.request);
  if (!settings || logged.queryText === null) {
    throw new AppError(
      "Conflict",
      "The log does not hold the question and its settings, so it cannot be asked again. Type it in the playground instead.",
    );
  }
  if ((await getCompany(scope, actor)).hashQueries) {
    throw new AppError(
      "Conflict",
      "This company now keeps hashes instead of questions, so the new answer cannot be compared. Ask in the playground instead.",
    );
  }
  await countRun(userId);
  const { asKeyId, completed: _, ...asked } = settings;
  const keyId = asKeyId ?? logged.keyId;
  const policy = keyId ? await policyNow(scope, actor, keyId, logged.policy) : {};
  const request = { ...asked, queryText: logged.queryText };
  await retrieve(scope, request, { requestId, origin: "playground", userId, policy, asKeyId: keyId });
  await flushQueryLog();
  return requestId;
}

async function policyNow(scope: TenantScope, actor: Actor, keyId: string, then: KeyPolicy | null): Promise<KeyPolicy> {
  return policyOfLiveKey(scope, actor, keyId).catch((error: unknown) => {
    const isDead = error instanceof AppError && (error.error === "Conflict" || error.error === "NotFound");
    if (isDead && then) return then;
    throw error;
  });
}
