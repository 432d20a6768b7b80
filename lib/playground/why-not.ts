import { requirePerson } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { type Explanation, explainSource } from "../retrieval/explain.ts";
import type { RetrieveRequest } from "../retrieval/schema.ts";
import { countRun, policyOfLiveKey } from "./run.ts";

interface WhyNot {
  request: RetrieveRequest;
  keyId: string | null;
  /** The identifier or title of a source, or a part of it. */
  name: string;
}

/**
 * Explains why a source is not among the results of a run. Counts as a run, and is not logged.
 * @throws {AppError} TooManyRequests, NotFound, Conflict
 */
export async function whyNot(scope: TenantScope, actor: Actor, { request, keyId, name }: WhyNot): Promise<Explanation> {
  await countRun(requirePerson(scope, actor).id);
  const policy = keyId ? await policyOfLiveKey(scope, actor, keyId) : {};
  return explainSource(scope, request, { policy, name });
}
