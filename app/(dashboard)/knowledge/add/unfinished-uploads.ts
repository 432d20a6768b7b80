/** The files of this tab that were not uploaded when the page was left, by their names, and how many were. */
export interface UnfinishedUploads {
  missing: string[];
  arrived: number;
}

const keyOf = (companyId: string) => `ragstone-uploads-${companyId}`;

export function readUnfinished(companyId: string): UnfinishedUploads | null {
  const kept: Partial<UnfinishedUploads> | null = JSON.parse(sessionStorage.getItem(keyOf(companyId)) ?? "null");
  return kept?.missing ? { missing: kept.missing, arrived: kept.arrived ?? 0 } : null;
}

/** Keeps the names for the next page of this tab; without any, forgets the last ones. */
export function writeUnfinished(companyId: string, uploads: UnfinishedUploads): void {
  try {
    if (uploads.missing.length === 0) sessionStorage.removeItem(keyOf(companyId));
    else sessionStorage.setItem(keyOf(companyId), JSON.stringify(uploads));
  } catch {
    // the names do not fit: leaving the page still asks first
  }
}

/** "34 of 40 files were not uploaded" */
export function unfinishedText({ missing, arrived }: UnfinishedUploads): string {
  const total = missing.length + arrived;
  return total === 1 ? "1 file was not uploaded" : `${missing.length} of ${total} files were not uploaded`;
}
