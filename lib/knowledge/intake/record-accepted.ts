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

/** The size of the changed labels in one event. Each transaction of a bulk change writes its event again. */
const LABEL_CHARACTERS_MAX = 100_000;

/** A change of labels in the audit log, with the identifiers of the changed sources, and the number of those left out. */
type LoggedChange = LabelChange & { sources: string[]; moreSources?: number };

interface LoggedLabels {
  /** By the change as JSON. */
  changes: Map<string, LoggedChange>;
  characters: number;
  /** Changes of single sources that are left out. */
  moreChanges: number;
}

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
  labels: LoggedLabels;
}

/**
 * Records one event for each kind of change, whatever the number of sources. An event that would be too large lists a
 * part of the changed labels and counts the rest.
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
      labels: { changes: new Map(), characters: 0, moreChanges: 0 },
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
      ...(event.labels.changes.size > 0 && { detail: labelDetail(event.labels) }),
    });
  }
}

function labelDetail({ changes, moreChanges }: LoggedLabels) {
  return { labels: [...changes.values()], ...(moreChanges > 0 && { moreChanges }) };
}

/** Merges the same change of several sources. */
function addChanges(labels: LoggedLabels, plans: Plan[]): void {
  for (const { sourceId, changes } of plans) {
    for (const change of changes) addChange(labels, change, sourceId);
  }
}

function addChange(labels: LoggedLabels, change: LabelChange, sourceId: string): void {
  const key = sortedJson(change);
  const same = labels.changes.get(key);
  const characters = labels.characters + sourceId.length + (same ? 0 : key.length);
  if (characters > LABEL_CHARACTERS_MAX) {
    if (same) same.moreSources = (same.moreSources ?? 0) + 1;
    else labels.moreChanges += 1;
    return;
  }
  labels.characters = characters;
  if (same) same.sources.push(sourceId);
  else labels.changes.set(key, { ...change, sources: [sourceId] });
}
