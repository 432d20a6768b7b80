import { type Actor, recordAudit } from "../../audit/record.ts";
import { counted } from "../../counted.ts";
import type { Transaction } from "../../db/client.ts";
import type { CompanyId } from "../../db/tenant.ts";
import type { LabelChange } from "../../label-changes.ts";
import { sortedJson } from "../../sorted-json.ts";
import type { Plan } from "./plan-acceptance.ts";

const EVENTS = [
  { kind: "added", action: "knowledge.added" },
  { kind: "relabelled", action: "knowledge.relabelled" },
  { kind: "reindexed", action: "knowledge.reindexed" },
] as const;

/** A change of labels in the audit log, with the identifiers of all changed sources. */
type LoggedChange = LabelChange & { sources: string[] };

/** Records one event for each kind of change, whatever the number of sources. */
export async function recordAccepted(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  plans: Plan[],
): Promise<void> {
  for (const { kind, action } of EVENTS) {
    const those = plans.filter((plan) => plan.kind === kind);
    const [first, ...others] = those;
    if (!first) continue;
    const labels = mergeChanges(those);
    await recordAudit(tx, companyId, actor, {
      action,
      target:
        others.length === 0
          ? { type: "source", id: first.id, name: first.version.title }
          : { type: "sources", id: companyId, name: counted(those.length, "source") },
      ...(labels.length > 0 && { detail: { labels } }),
    });
  }
}

/** Merges the same change of several sources. */
function mergeChanges(plans: Plan[]): LoggedChange[] {
  const changes = plans.flatMap(({ sourceId, changes }) => changes.map((change) => ({ sourceId, change })));
  return [...Map.groupBy(changes, ({ change }) => sortedJson(change)).values()].flatMap((same) => {
    const [first] = same;
    return first ? { ...first.change, sources: same.map(({ sourceId }) => sourceId) } : [];
  });
}
