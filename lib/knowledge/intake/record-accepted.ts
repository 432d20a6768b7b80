import { randomUUID } from "node:crypto";
import { type Actor, recordAudit } from "../../audit/record.ts";
import { counted } from "../../counted.ts";
import type { Transaction } from "../../db/client.ts";
import type { CompanyId } from "../../db/tenant.ts";
import type { LabelChange } from "../../label-changes.ts";
import { sortedJson } from "../../sorted-json.ts";
import type { Plan } from "./plan-acceptance.ts";

const EVENTS = [
  { kind: "added", action: "knowledge.added" },
  { kind: "changed", action: "knowledge.changed" },
  { kind: "relabelled", action: "knowledge.relabelled" },
  { kind: "reindexed", action: "knowledge.reindexed" },
] as const;

/** A change of labels in the audit log, with the identifiers of all changed sources. */
type LoggedChange = LabelChange & { sources: string[] };

/** A change of several sources in several transactions, which the audit log shows as one event for each kind. */
export interface BulkChange {
  /** The id of the event of changed labels, by which they can be undone. */
  relabelId?: string;
  events: Map<Plan["kind"], LoggedEvent>;
}

/** An event, with all that its change has done so far. */
interface LoggedEvent {
  id: string;
  first: { id: string; title: string };
  sources: number;
  /** By the change as JSON. */
  labels: Map<string, LoggedChange>;
}

/**
 * Records one event for each kind of change, whatever the number of sources.
 * @param bulk what the change has done before
 */
export async function recordAccepted(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  plans: Plan[],
  { relabelId, events }: BulkChange = { events: new Map() },
): Promise<void> {
  for (const { kind, action } of EVENTS) {
    const those = plans.filter((plan) => plan.kind === kind);
    const [first] = those;
    if (!first) continue;
    const event = events.get(kind) ?? {
      id: (kind === "relabelled" && relabelId) || randomUUID(),
      first: { id: first.id, title: first.version.title },
      sources: 0,
      labels: new Map(),
    };
    events.set(kind, event);
    event.sources += those.length;
    addChanges(event.labels, those);
    await recordAudit(tx, companyId, actor, {
      id: event.id,
      action,
      target:
        event.sources === 1
          ? { type: "source", id: event.first.id, name: event.first.title }
          : { type: "sources", id: companyId, name: counted(event.sources, "source") },
      ...(event.labels.size > 0 && { detail: { labels: [...event.labels.values()] } }),
    });
  }
}

/** Merges the same change of several sources. */
function addChanges(labels: LoggedEvent["labels"], plans: Plan[]): void {
  for (const { sourceId, changes } of plans) {
    for (const change of changes) {
      const key = sortedJson(change);
      const same = labels.get(key);
      if (same) same.sources.push(sourceId);
      else labels.set(key, { ...change, sources: [sourceId] });
    }
  }
}
