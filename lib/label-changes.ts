import { joinPath } from "./label-text.ts";
import { sortedJson } from "./sorted-json.ts";

/** The labels of a source, which filters and policies use. */
export interface SourceLabels {
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: Record<string, unknown>;
}

/** Labels from a caller. Null means that the label is not given. */
export type GivenLabels = { [Label in keyof SourceLabels]: SourceLabels[Label] | null };

/** A change as read from the audit log. */
interface DescribedChange {
  label: keyof SourceLabels;
  before?: unknown;
  after?: unknown;
}

interface Change<Label extends keyof SourceLabels> {
  label: Label;
  before: SourceLabels[Label];
  after: SourceLabels[Label];
}

/** A label before and after a change. */
export type LabelChange = { [Label in keyof SourceLabels]: Change<Label> }[keyof SourceLabels];

export const LABELS = ["audience", "contentCategory", "path", "metadata"] as const satisfies (keyof SourceLabels)[];

export const DEFAULT_CATEGORY = "general";

export const LABEL_WORDS = { audience: "Audience", contentCategory: "Category", path: "Path", metadata: "Metadata" };

/** Completes missing labels: an existing source keeps its own, and a new source gets the defaults. */
export function completeLabels(
  given: GivenLabels,
  before: SourceLabels | undefined,
  defaultAudience: string[],
): SourceLabels {
  return {
    audience: given.audience ?? before?.audience ?? defaultAudience,
    contentCategory: given.contentCategory ?? before?.contentCategory ?? DEFAULT_CATEGORY,
    path: given.path ?? before?.path ?? [],
    metadata: given.metadata ?? before?.metadata ?? {},
  };
}

export function labelChanges(before: SourceLabels, after: SourceLabels): LabelChange[] {
  const all: LabelChange[] = [
    { label: "audience", before: before.audience, after: after.audience },
    { label: "contentCategory", before: before.contentCategory, after: after.contentCategory },
    { label: "path", before: before.path, after: after.path },
    { label: "metadata", before: before.metadata, after: after.metadata },
  ];
  return all.filter((change) => sortedJson(change.before) !== sortedJson(change.after));
}

/** "Audience: internal → ai_agent, copilot" */
export function describeChange({ label, before, after }: DescribedChange): string {
  return `${LABEL_WORDS[label]}: ${valueWords(label, before)} → ${valueWords(label, after)}`;
}

/** The accepted sources whose labels changed, with the changes in words. */
export interface Relabelled {
  total: number;
  /** The first of these sources. */
  sources: { sourceId: string; changes: string[] }[];
}

export function relabelledOf(accepted: { sourceId: string; changes: LabelChange[] }[], shown = 50): Relabelled {
  const all = accepted.filter(({ changes }) => changes.length > 0);
  const sources = all
    .slice(0, shown)
    .map(({ sourceId, changes }) => ({ sourceId, changes: changes.map(describeChange) }));
  return { total: all.length, sources };
}

/** The value of a label for people. */
export function valueWords(label: keyof SourceLabels, value: unknown): string {
  if (Array.isArray(value)) return (label === "path" ? joinPath(value) : value.join(", ")) || "none";
  if (typeof value === "string") return value;
  const json = JSON.stringify(value ?? {});
  return json === "{}" ? "none" : json;
}
