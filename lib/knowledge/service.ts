import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type Actor, recordAudit, requireAdmin, requireMembership } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { AppError, notFound } from "../errors.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { chunkSizesOf, lockCompany, setLive } from "../search-index/live-chunks.ts";
import { batches } from "../search-index/write-chunks.ts";
import { UNDO_HOURS } from "./ingest/purge.ts";
import { lockSources } from "./queries.ts";
import { requireVisible, visibleTo } from "./visible-sources.ts";

/** Small batches, so that the embedded database can run other statements in between. */
const SOURCES_PER_TRANSACTION = 200;

/**
 * Removes a source from retrieval immediately. It can be restored for 24 hours and is then purged.
 * @throws {AppError} NotFound, also when the actor may not see the source
 */
export async function deleteSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  const [deleted] = await deleteSources(scope, actor, [id]);
  if (!deleted) throw notFound("Source");
  return { sourceId: deleted.sourceId };
}

/**
 * Restores a deleted source for the next request.
 * @throws {AppError} NotFound, also after 24 hours, because its text may be purged by then; Conflict when it is not deleted
 */
export async function restoreSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  requireAdmin(scope, actor, "manage");
  return scope.transaction(async (tx) => {
    const { companyId } = scope;
    await lockCompany(tx, companyId);
    const source = await findSource(tx, companyId, id);
    await requireVisible(tx, companyId, actor, id);
    if (!source.deletedAt) throw new AppError("Conflict", "The source is not deleted");
    const entering = await chunkSizesOf(tx, companyId, source.currentVersionId ? [source.currentVersionId] : []);
    await setLive(tx, companyId, { entering, leaving: [] });
    const restored = await tx
      .update(sources)
      .set({ deletedAt: null, updatedAt: sql`now()` })
      .where(and(ofCompany(companyId, id), sql`${sources.deletedAt} > now() - make_interval(hours => ${UNDO_HOURS})`))
      .returning({ id: sources.id });
    if (restored.length === 0) throw notFound("Source");
    await recordAudit(tx, companyId, actor, {
      action: "source.restored",
      target: { type: "source", id, name: source.sourceId },
    });
    return { sourceId: source.sourceId };
  });
}

/** The source with this caller identifier. @throws {AppError} NotFound */
export async function sourceByExternalId(scope: TenantScope, actor: Actor, sourceId: string) {
  requireMembership(scope, actor);
  const [source] = await scope.transaction((tx) =>
    tx
      .select({ id: sources.id })
      .from(sources)
      .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, sourceId), isNull(sources.deletedAt))),
  );
  if (!source) throw notFound(`Source ${sourceId}`);
  return source;
}

/**
 * Deletes several sources. Skips those that are deleted already and those that the actor may not see.
 * @returns the sources that were deleted
 */
export async function deleteSources(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
): Promise<{ id: string; sourceId: string }[]> {
  requireAdmin(scope, actor, "manage");
  const deleted: { id: string; sourceId: string }[] = [];
  for (const batch of batches(ids, SOURCES_PER_TRANSACTION)) {
    deleted.push(...(await scope.transaction((tx) => deleteBatch(tx, scope.companyId, actor, batch))));
  }
  return deleted;
}

async function deleteBatch(tx: Transaction, companyId: CompanyId, actor: Actor, ids: string[]) {
  await lockCompany(tx, companyId);
  // locked in the order of all other changes first
  const rows = await lockSources(tx, { companyId, ids });
  const known = [...rows.values()].map(({ id }) => id);
  const deleted = await tx
    .update(sources)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, known), visibleTo(actor)))
    .returning({ id: sources.id, sourceId: sources.sourceId, versionId: sources.currentVersionId });
  const versionIds = deleted.flatMap(({ versionId }) => versionId ?? []);
  await setLive(tx, companyId, { entering: [], leaving: await chunkSizesOf(tx, companyId, versionIds) });
  const runAfter = new Date(Date.now() + UNDO_HOURS * HOUR_MS + 60_000);
  await enqueue(
    tx,
    deleted.map(({ id }) => ({ companyId, kind: "purge" as const, subjectId: id, runAfter })),
  );
  for (const { id, sourceId } of deleted) {
    await recordAudit(tx, companyId, actor, {
      action: "source.deleted",
      target: { type: "source", id, name: sourceId },
    });
  }
  return deleted.map(({ id, sourceId }) => ({ id, sourceId }));
}

/** Restores several sources, one after the other. Skips those that somebody else has restored meanwhile. @returns the ids that were restored */
export async function restoreSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<string[]> {
  const done: string[] = [];
  for (const id of ids) {
    try {
      await restoreSource(scope, actor, id);
      done.push(id);
    } catch (error) {
      const overtaken = error instanceof AppError && (error.error === "NotFound" || error.error === "Conflict");
      if (!overtaken) throw error;
    }
  }
  return done;
}

async function findSource(tx: Transaction, companyId: CompanyId, id: string) {
  const [source] = await tx.select().from(sources).where(ofCompany(companyId, id)).for("update");
  if (!source) throw notFound("Source");
  return source;
}

function ofCompany(companyId: CompanyId, id: string) {
  return and(eq(sources.companyId, companyId), eq(sources.id, id));
}
