import type { AcceptedSource } from "../source-types.ts";

type Change = NonNullable<AcceptedSource["changedLabels"]>[number];

/** Its own copy, because the client imports nothing from the rest of the project. */
const LABEL_WORDS = { audience: "Audience", contentCategory: "Category", path: "Path", metadata: "Metadata" };

/** The sources whose labels changed, by identifier: a field for `--json`, if there are any, and lines for people. */
export function labelOutcome(accepted: Pick<AcceptedSource, "sourceId" | "changedLabels">[]) {
  const sources = accepted
    .flatMap(({ sourceId, changedLabels }) =>
      changedLabels ? [{ sourceId, changes: changedLabels.map(describeChange) }] : [],
    )
    .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  return {
    relabelled: sources.length > 0 ? { relabelled: sources } : {},
    changes: sources.flatMap(({ sourceId, changes }) => changes.map((change) => `${sourceId}: ${change}`)),
  };
}

/** "Audience: internal → ai_agent, copilot" */
function describeChange({ label, before, after }: Change): string {
  return `${LABEL_WORDS[label]}: ${valueWords(label, before)} → ${valueWords(label, after)}`;
}

function valueWords(label: Change["label"], value: unknown): string {
  if (Array.isArray(value)) return value.join(label === "path" ? " / " : ", ") || "none";
  if (typeof value === "string") return value;
  const json = JSON.stringify(value ?? {});
  return json === "{}" ? "none" : json;
}
