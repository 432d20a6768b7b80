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

// an earlier release stored other values under "ragstone-uploads-"
const keyOf = (companyId: string) => `ragstone-unfinished-${companyId}`;

export function readUnfinished(companyId: string): UnfinishedUploads | null {
  try {
    const stored: Partial<UnfinishedUploads> | null = JSON.parse(sessionStorage.getItem(keyOf(companyId)) ?? "null");
    return stored?.missing ? { missing: stored.missing, arrived: stored.arrived ?? 0 } : null;
  } catch {
    // the browser blocks the storage
    return null;
  }
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
