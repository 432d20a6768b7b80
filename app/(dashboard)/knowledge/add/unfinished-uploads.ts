import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";

/** Files that this tab had not uploaded when the page was closed, and how many it had uploaded. */
export interface UnfinishedUploads {
  missing: MissingFile[];
  arrived: number;
}

export interface MissingFile {
  name: string;
  /** The labels that it would have been uploaded with. */
  labels: LabelsInput;
}

const keyOf = (companyId: string) => `ragstone-uploads-${companyId}`;

export function readUnfinished(companyId: string): UnfinishedUploads | null {
  try {
    const stored: Partial<UnfinishedUploads> | null = JSON.parse(sessionStorage.getItem(keyOf(companyId)) ?? "null");
    if (!stored?.missing) return null;
    return { missing: stored.missing.map(withStoredLabels), arrived: stored.arrived ?? 0 };
  } catch {
    // the browser blocks the storage
    return null;
  }
}

export const NO_LABELS: LabelsInput = { audience: [], contentCategory: "", path: "" };

/** Earlier releases stored only names. */
function withStoredLabels(stored: MissingFile | string): MissingFile {
  return typeof stored === "string" ? { name: stored, labels: NO_LABELS } : stored;
}

/** Stores the files for the next page load of this tab. Clears them if none are missing. */
export function writeUnfinished(companyId: string, uploads: UnfinishedUploads): void {
  try {
    if (uploads.missing.length === 0) sessionStorage.removeItem(keyOf(companyId));
    else sessionStorage.setItem(keyOf(companyId), JSON.stringify(uploads));
  } catch {
    // the storage is full or blocked: closing the page still asks for confirmation
  }
}

/** "34 of 40 files were not uploaded" */
export function unfinishedText({ missing, arrived }: UnfinishedUploads): string {
  const total = missing.length + arrived;
  return total === 1
    ? "1 file was not uploaded"
    : `${missing.length} of ${total} files ${missing.length === 1 ? "was" : "were"} not uploaded`;
}
