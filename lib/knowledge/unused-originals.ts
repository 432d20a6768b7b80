import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { heldUploads, sourceVersions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import type { Turn } from "../jobs/turn.ts";
import { objectStore } from "../storage/index.ts";
import { abandonedPuts } from "../storage/recorded-puts.ts";
import { lockOriginals } from "./original-lock.ts";

/** Deletes the originals that neither a version nor a held upload uses, while a lock keeps new ones from using them. */
export async function deleteUnusedOriginals(
  tx: Transaction,
  companyId: CompanyId,
  storageKeys: string[],
): Promise<void> {
  await lockOriginals(tx, storageKeys);
  const used = await tx
    .select({ key: sourceVersions.storageKey })
    .from(sourceVersions)
    .where(and(eq(sourceVersions.companyId, companyId), inArray(sourceVersions.storageKey, storageKeys)))
    .union(
      tx
        .select({ key: heldUploads.storageKey })
        .from(heldUploads)
        .where(and(eq(heldUploads.companyId, companyId), inArray(heldUploads.storageKey, storageKeys))),
    );
  const keys = new Set(used.map(({ key }) => key));
  for (const key of storageKeys) if (!keys.has(key)) await objectStore().delete(key);
}

/**
 * Deletes the originals of uploads whose process died before a version used them, a day later. Each server deletes those
 * that it stored itself.
 * @returns false when the turn ended first
 */
export async function deleteAbandonedOriginals(scope: TenantScope, turn: Turn): Promise<boolean> {
  for (const { key, forget } of await abandonedPuts(scope.companyId)) {
    await scope.transaction((tx) => deleteUnusedOriginals(tx, scope.companyId, [key]));
    await forget();
    if (turn.hasEnded()) return false;
  }
  return true;
}
