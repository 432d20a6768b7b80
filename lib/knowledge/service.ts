import { and, eq, isNull, sql } from "drizzle-orm";
import { type Actor, recordAudit, requireAdmin, requireMembership } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { AppError, notFound } from "../errors.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { chunkSizesOf, lockCompany, setLive } from "../search-index/live-chunks.ts";
import { UNDO_HOURS } from "./ingest/purge.ts";

/** Removes a source from retrieval immediately. It can be restored for 24 hours and is then purged. */
export async function deleteSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => {
    const { companyId } = scope;
    await lockCompany(tx, companyId);
    const source = await findSource(tx, companyId, id);
    if (source.deletedAt) throw notFound("Source");
    await setLive(tx, companyId, { entering: [], leaving: await currentSizes(tx, companyId, source.currentVersionId) });
    await tx.update(sources).set({ deletedAt: sql`now()` }).where(ofCompany(companyId, id));
    await enqueue(tx, [
      { companyId, kind: "purge", subjectId: id, runAfter: new Date(Date.now() + UNDO_HOURS * HOUR_MS + 60_000) },
    ]);
    await recordAudit(tx, companyId, actor, {
      action: "source.deleted",
      target: { type: "source", id, name: source.sourceId },
    });
    return { sourceId: source.sourceId };
  });
}

/**
 * Restores a deleted source for the next request.
 * @throws {AppError} NotFound, also after 24 hours, because its text may be purged by then; Conflict when it is not deleted
 */
export async function restoreSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => {
    const { companyId } = scope;
    await lockCompany(tx, companyId);
    const source = await findSource(tx, companyId, id);
    if (!source.deletedAt) throw new AppError("Conflict", "The source is not deleted");
    await setLive(tx, companyId, { entering: await currentSizes(tx, companyId, source.currentVersionId), leaving: [] });
    const restored = await tx
      .update(sources)
      .set({ deletedAt: null })
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

/** Deletes several sources. @returns the ids that were deleted */
export async function deleteSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<string[]> {
  return runForEach(ids, (id) => deleteSource(scope, actor, id));
}

/** Restores several sources. @returns the ids that were restored */
export async function restoreSources(scope: TenantScope, actor: Actor, ids: string[]): Promise<string[]> {
  return runForEach(ids, (id) => restoreSource(scope, actor, id));
}

/** One after the other. Skips a source that somebody else has deleted or restored meanwhile. */
async function runForEach(ids: string[], work: (id: string) => Promise<unknown>): Promise<string[]> {
  const done: string[] = [];
  for (const id of ids) {
    try {
      await work(id);
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

async function currentSizes(tx: Transaction, companyId: CompanyId, versionId: string | null) {
  return chunkSizesOf(tx, companyId, versionId ? [versionId] : []);
}
