import { and, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { AppError, notFound } from "../errors.ts";
import { changeLiveChunks, chunkSizesOf, lockSearchIndex } from "../search-index/live-chunks.ts";
import { type ChangedSource, changeInBatches } from "./change-in-batches.ts";
import { isRestorable } from "./queries.ts";
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
  const given = await tx
    .select({ id: sources.id, sourceId: sources.sourceId, versionId: sources.currentVersionId })
    .from(sources)
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, ids), isRestorable, visibleTo(companyId, actor)))
    .orderBy(sql`${sources.sourceId} collate "C"`)
    .for("update");
  if (given.length === 0) return [];
  const attached = await deletedWith(
    tx,
    companyId,
    actor,
    given.map(({ id }) => id),
  );
  const all = [...given, ...attached];
  const versionIds = all.flatMap(({ versionId }) => versionId ?? []);
  await changeLiveChunks(tx, companyId, { entering: await chunkSizesOf(tx, companyId, versionIds), leaving: [] });
  await tx
    .update(sources)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(
          sources.id,
          all.map(({ id }) => id),
        ),
      ),
    );
  return given.map(({ id, sourceId }) => ({ id, sourceId }));
}

/** The attachments that were deleted with these emails, if the actor may see them. */
async function deletedWith(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  const emails = alias(sources, "emails");
  return tx
    .select({ id: sources.id, versionId: sources.currentVersionId })
    .from(sources)
    .innerJoin(emails, and(eq(emails.companyId, companyId), eq(emails.id, sources.attachedTo)))
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(sources.attachedTo, ids),
        eq(sources.deletedAt, emails.deletedAt),
        visibleTo(companyId, actor),
      ),
    );
}

async function findSource(tx: Transaction, companyId: CompanyId, id: string) {
  const [source] = await tx
    .select()
    .from(sources)
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
  if (!source) throw notFound("Source");
  return source;
}
