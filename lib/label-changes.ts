import { sortedJson } from "./sorted-json.ts";

/** What a source is found and narrowed by, besides its text. */
export interface SourceLabels {
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: Record<string, unknown>;
}

/** Labels as a caller gives them; null: not given. */
export type GivenLabels = { [Label in keyof SourceLabels]: SourceLabels[Label] | null };

/** A change as it is read back from the audit log. */
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

/** A label that a source has, and the one that it gets or got. */
export type LabelChange = { [Label in keyof SourceLabels]: Change<Label> }[keyof SourceLabels];

export const LABELS = ["audience", "contentCategory", "path", "metadata"] as const satisfies (keyof SourceLabels)[];

export const DEFAULT_CATEGORY = "general";

const WORDS = { audience: "Audience", contentCategory: "Category", path: "Path", metadata: "Metadata" };

/** What is given again without a label keeps the label that it has; a new source gets the defaults. */
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
  return `${WORDS[label]}: ${valueWords(label, before)} → ${valueWords(label, after)}`;
}

/** Of sources that were taken in, those whose labels changed, in words. */
export interface Relabelled {
  total: number;
  /** The first ones. */
  sources: { sourceId: string; changes: string[] }[];
}

export function relabelledOf(accepted: { sourceId: string; changes: LabelChange[] }[], shown = 50): Relabelled {
  const all = accepted.filter(({ changes }) => changes.length > 0);
  const sources = all
    .slice(0, shown)
    .map(({ sourceId, changes }) => ({ sourceId, changes: changes.map(describeChange) }));
  return { total: all.length, sources };
}

function valueWords(label: keyof SourceLabels, value: unknown): string {
  if (Array.isArray(value)) return value.join(label === "path" ? " / " : ", ") || "none";
  if (typeof value === "string") return value;
  const json = JSON.stringify(value ?? {});
  return json === "{}" ? "none" : json;
}
