import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { LABEL_WORDS } from "@/lib/label-changes.ts";
import type { LabelledFile, NamedFile } from "./dropped-files.ts";
import type { UnfinishedUploads } from "./unfinished-uploads.ts";

export const NO_LABELS: LabelsInput = { audience: [], contentCategory: "", path: "" };

/** The labels of chosen files. Where a field is empty, a file that was not uploaded before keeps its label. */
export function labelFiles(
  files: NamedFile[],
  given: LabelsInput,
  unfinished: UnfinishedUploads | null,
): LabelledFile[] {
  const before = new Map(unfinished?.missing.map(({ name, labels }) => [name, labels]));
  return files.map((file) => ({ ...file, labels: completed(given, before.get(file.name) ?? NO_LABELS) }));
}

function completed(given: LabelsInput, before: LabelsInput): LabelsInput {
  return {
    audience: given.audience.length > 0 ? given.audience : before.audience,
    contentCategory: given.contentCategory.trim() ? given.contentCategory : before.contentCategory,
    path: given.path.trim() ? given.path : before.path,
  };
}

/** "Audience: internal · Path: Staff / Pay"; empty without labels. */
export function labelsText({ audience, contentCategory, path }: LabelsInput): string {
  const given = { audience: audience.join(", "), contentCategory: contentCategory.trim(), path: path.trim() };
  return (["audience", "contentCategory", "path"] as const)
    .filter((label) => given[label])
    .map((label) => `${LABEL_WORDS[label]}: ${given[label]}`)
    .join(" · ");
}
