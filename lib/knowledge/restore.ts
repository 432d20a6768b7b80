import { and, eq, inArray, sql } from "drizzle-orm";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { AppError, notFound } from "../errors.ts";
import { changeLiveChunks, chunkSizesOf, lockSearchIndex } from "../search-index/live-chunks.ts";
import { type ChangedSource, changeInBatches } from "./change-in-batches.ts";
import { isRestorable, withAttached } from "./queries.ts";
import { requireVisible, visibleTo } from "./visible-sources.ts";

/**
 * Restores a deleted source for the next request.
 * @throws {AppError} NotFound, also after 24 hours, because its text may be purged by then; Conflict when it is not deleted
 */
export async function restoreSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  const [restored] = await restoreSources(scope, actor, [id]);
  if (restored) return { sourceId: restored.sourceId };
  const deletedAt = await scope.transaction(async (tx) => {
    await requireVisible(tx, scope.companyId, actor, id);
    return (await findSource(tx, scope.companyId, id)).deletedAt;
  });
  throw deletedAt
    ? notFound("Source")
    : new AppError("Conflict", "The source is not deleted, so there is nothing to restore");
}

/**
 * Restores several deleted sources, each with the attachments that were deleted with it. Skips those that somebody else
 * has restored meanwhile, those that were deleted more than 24 hours ago, and those that the actor may not see.
 * @returns the given sources that were restored
 */
export async function restoreSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<ChangedSource[]> {
  requireAdmin(scope, actor, "manage");
  return changeInBatches(scope, actor, ids, {
    action: "source.restored",
    change: (tx, batch) => restoreBatch(tx, scope.companyId, actor, batch),
  });
}

async function restoreBatch(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  await lockSearchIndex(tx, companyId);
  const { given, attached } = await lockDeleted(tx, companyId, actor, ids);
  const all = [...given, ...attached];
  const versionIds = all.flatMap(({ versionId }) => versionId ?? []);
  await changeLiveChunks(tx, companyId, { entering: await chunkSizesOf(tx, companyId, versionIds), leaving: [] });
  await tx
    .update(sources)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, idsOf(all))));
  return given.map(({ id, sourceId }) => ({ id, sourceId }));
}

/** Locks the given sources that can be restored, and the attachments that were deleted with the emails among them. */
async function lockDeleted(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  const { id, sourceId, attachedTo, currentVersionId: versionId } = sources;
  // as text, because a date has no microseconds
  const deletedAt = sql<string>`${sources.deletedAt}::text`;
  const among = await withAttached(tx, companyId, ids);
  const rows = await tx
    .select({ id, sourceId, attachedTo, versionId, deletedAt })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(id, among), isRestorable, visibleTo(companyId, actor)))
    // all at once and in the same order as in upsertSources, to prevent deadlocks
    .orderBy(sql`${sourceId} collate "C"`)
    .for("update");
  const chosen = new Set(ids);
  const given = rows.filter((row) => chosen.has(row.id));
  const times = new Map(given.map((row) => [row.id, row.deletedAt]));
  const attached = rows.filter((row) => !chosen.has(row.id) && times.get(row.attachedTo ?? "") === row.deletedAt);
  return { given, attached };
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map((row) => row.id);
}

async function findSource(tx: Transaction, companyId: CompanyId, id: string) {
  const [source] = await tx
    .select()
    .from(sources)
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
  if (!source) throw notFound("Source");
  return source;
}
