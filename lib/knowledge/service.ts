import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { counted } from "../counted.ts";
import { batches } from "../db/batches.ts";
import type { Transaction } from "../db/client.ts";
import { sources } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { AppError, notFound } from "../errors.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { changeLiveChunks, chunkSizesOf, lockSearchIndex } from "../search-index/live-chunks.ts";
import { SOURCES_PER_EVENT } from "./limits.ts";
import { isRestorable, latestVersions, lockEmail, lockWithAttached } from "./queries.ts";
import { UNDO_HOURS } from "./values.ts";
import { requireVisible, visibleTo } from "./visible-sources.ts";

/** Small batches, so that the embedded database can run other statements in between. */
const SOURCES_PER_TRANSACTION = 200;

interface ChangedSource {
  id: string;
  sourceId: string;
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

/**
 * Restores a deleted source for the next request.
 * @throws {AppError} NotFound, including after 24 hours, because its text may be purged by then; Conflict when it is not
 *   deleted
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
 * has restored in the meantime, those that were deleted more than 24 hours ago, and those that the actor may not see.
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
  const attached = await deletedWith(tx, companyId, actor, idsOf(given));
  const all = [...given, ...attached];
  const versionIds = all.flatMap(({ versionId }) => versionId ?? []);
  await changeLiveChunks(tx, companyId, { entering: await chunkSizesOf(tx, companyId, versionIds), leaving: [] });
  await tx
    .update(sources)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, idsOf(all))));
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

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id);
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

interface DeleteOptions {
  /** The email whose attachments these sources are. They are deleted only while this is its newest version. */
  email?: { id: string; versionId: string };
}

/**
 * Deletes several sources, emails with their attachments. Skips those that are deleted already and those that the actor
 * may not see.
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

interface BulkOperation {
  action: "source.deleted" | "source.restored";
  /** Changes these sources. @returns those that were changed */
  change: (tx: Transaction, ids: string[]) => Promise<ChangedSource[]>;
}

/**
 * Changes these sources, each batch in a transaction of its own. The audit log shows one event, or several of a very large
 * operation.
 * @returns those that were changed
 */
async function changeInBatches(
  { companyId, changeContent }: TenantScope,
  actor: Actor,
  ids: string[],
  { action, change }: BulkOperation,
): Promise<ChangedSource[]> {
  const done: ChangedSource[] = [];
  for (const part of batches(ids, SOURCES_PER_EVENT)) {
    const id = crypto.randomUUID();
    let named: ChangedSource[] = [];
    for (const batch of batches(part, SOURCES_PER_TRANSACTION)) {
      named = await changeContent(async (tx) => {
        const changed = await change(tx, batch);
        const all = [...named, ...changed];
        if (changed.length > 0) await recordSources(tx, companyId, actor, { id, action, changed: all });
        return all;
      });
    }
    done.push(...named);
  }
  return done;
}

async function deleteBatch(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  ids: string[],
  { email }: DeleteOptions,
) {
  await lockSearchIndex(tx, companyId);
  if (email && !(await lockEmail(tx, { companyId, ...email }))) return [];
  const known = idsOf([...(await lockWithAttached(tx, { companyId, ids, attachedTo: email?.id })).values()]);
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

interface SourceEvent extends Pick<BulkOperation, "action"> {
  id: string;
  changed: ChangedSource[];
}

/** Records one event, by the title of one source, or with the identifiers of several. */
async function recordSources(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  { id, action, changed }: SourceEvent,
) {
  const [first, ...others] = changed;
  if (!first) return;
  if (others.length > 0) {
    const target = { type: "sources", id: companyId, name: counted(changed.length, "source") } as const;
    const detail = { sources: changed.map(({ sourceId }) => sourceId) };
    return recordAudit(tx, companyId, actor, { id, action, target, detail });
  }
  const { id: targetId, sourceId } = first;
  const title = (await latestVersions(tx, { companyId, sourceIds: [sourceId] })).get(sourceId)?.title;
  const target = { type: "source", id: targetId, name: title ?? sourceId } as const;
  return recordAudit(tx, companyId, actor, { id, action, target });
}

async function findSource(tx: Transaction, companyId: CompanyId, id: string) {
  const [source] = await tx
    .select()
    .from(sources)
    .where(and(eq(sources.companyId, companyId), eq(sources.id, id)));
  if (!source) throw notFound("Source");
  return source;
}
