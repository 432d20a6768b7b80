import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { notFound } from "../errors.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { changeLiveChunks, chunkSizesOf, lockSearchIndex } from "../search-index/live-chunks.ts";
import { type ChangedSource, changeInBatches } from "./change-in-batches.ts";
import { lockEmail, lockWithAttached } from "./queries.ts";
import { UNDO_HOURS } from "./values.ts";
import { visibleTo } from "./visible-sources.ts";

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
 * Removes a source from retrieval immediately. It can be restored for 24 hours and is then purged.
 * @throws {AppError} NotFound, including when the actor may not see the source
 */
export async function deleteSource(scope: TenantScope, actor: Actor, id: string): Promise<{ sourceId: string }> {
  const [deleted] = await deleteSources(scope, actor, [id]);
  if (!deleted) throw notFound("Source");
  return { sourceId: deleted.sourceId };
}

interface DeleteOptions {
  /** Caller identifiers of attachments that remain when their email is deleted. */
  except?: ReadonlySet<string>;
  /** The email whose attachments these sources are. They are deleted only while this is its newest version. */
  email?: { id: string; versionId: string };
}

/**
 * Deletes several sources, emails with their attachments unless `except` names them. Skips those that are deleted already
 * and those that the actor may not see.
 * @returns the given sources that were deleted
 */
export async function deleteSources(
  scope: TenantScope,
  actor: Actor,
  ids: string[],
  options: DeleteOptions = {},
): Promise<ChangedSource[]> {
  requireAdmin(scope, actor, "manage");
  return changeInBatches(scope, actor, ids, {
    action: "source.deleted",
    change: (tx, batch) => deleteBatch(tx, scope.companyId, actor, batch, options),
  });
}

async function deleteBatch(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  ids: string[],
  { email, except }: DeleteOptions,
) {
  await lockSearchIndex(tx, companyId);
  if (email && !(await lockEmail(tx, { companyId, ...email }))) return [];
  const locked = await lockWithAttached(tx, { companyId, ids, attachedTo: email?.id });
  const known = [...locked.values()].flatMap(({ id, sourceId }) => (except?.has(sourceId) ? [] : id));
  const deleted = await tx
    .update(sources)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, known), visibleTo(companyId, actor)))
    .returning({ id: sources.id, sourceId: sources.sourceId, versionId: sources.currentVersionId });
  const versionIds = deleted.flatMap(({ versionId }) => versionId ?? []);
  await changeLiveChunks(tx, companyId, { entering: [], leaving: await chunkSizesOf(tx, companyId, versionIds) });
  const runAfter = new Date(Date.now() + UNDO_HOURS * HOUR_MS + 60_000);
  await enqueue(
    tx,
    deleted.map(({ id }) => ({ companyId, kind: "purge" as const, subjectId: id, runAfter })),
  );
  const byId = new Map(deleted.map(({ id, sourceId }) => [id, { id, sourceId }]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
