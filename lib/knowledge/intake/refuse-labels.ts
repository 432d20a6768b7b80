import { policyOf, requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { batches } from "../../db/batches.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { Issue } from "../../errors.ts";
import { latestVersions } from "../queries.ts";
import { policyIssue } from "./bind-labels.ts";
import type { SubmittedSource } from "./plan-acceptance.ts";

/** The labels with which a key may not write sources, by identifier. Sources that it may write are left out. */
export async function findRefusedLabels(
  scope: TenantScope,
  actor: Actor,
  submitted: SubmittedSource[],
): Promise<Map<string, Issue>> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const found = new Map<string, Issue>();
  if (actor.type !== "api_key") return found;
  for (const batch of batches(submitted)) {
    const sourceIds = batch.map(({ sourceId }) => sourceId);
    const known = await scope.transaction((tx) => latestVersions(tx, { companyId, actor, sourceIds }));
    for (const source of batch) {
      const issue = policyIssue(policyOf(actor), source, known.get(source.sourceId));
      if (issue) found.set(source.sourceId, issue);
    }
  }
  return found;
}
