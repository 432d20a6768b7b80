import type { CompanyId } from "../db/tenant.ts";

/** The object store's key of an original, named after its content, so that a retry writes the same object. */
export function originalKey(companyId: CompanyId, sha256: string): string {
  return `${companyId}/${sha256}`;
}
