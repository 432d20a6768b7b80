import { type Actor, requirePerson } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { type Explanation, explainSource } from "../retrieval/explain.ts";
import type { RetrieveRequest } from "../retrieval/schema.ts";
import { countRun, policyOf } from "./run.ts";

interface WhyNot {
  request: RetrieveRequest;
  keyId: string | null;
  /** The identifier or title of a source, or a part of one. */
  name: string;
}

/**
 * What became of a source in a run; it counts as a run, and is not in the log.
 * @throws {AppError} TooManyRequests, NotFound, Conflict
 */
export async function whyNot(scope: TenantScope, actor: Actor, { request, keyId, name }: WhyNot): Promise<Explanation> {
  await countRun(requirePerson(scope, actor).id);
  const policy = keyId ? await policyOf(scope, actor, keyId) : {};
  return explainSource(scope, request, { policy, name });
}
