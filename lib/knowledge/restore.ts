import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { requireAdmin } from "../audit/permissions.ts";
import { type Actor, SYSTEM_ACTOR } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { AppError, notFound } from "../errors.ts";
import { changeLiveChunks, chunkSizesOf, lockSearchIndex } from "../search-index/live-chunks.ts";
import { type ChangedSource, changeInBatches } from "./change-in-batches.ts";
import { lockAndAccept } from "./intake/accept.ts";
import { newestTexts } from "./intake/newest-texts.ts";
import { mayBeEmail } from "./parse/formats.ts";
import { isRestorable, type SourceRow, withAttached } from "./queries.ts";
import { requireVisible, visibleTo } from "./visible-sources.ts";

/**
 * Restores a deleted source for the next request.
 * @throws {AppError} NotFound, including after 24 hours, because its text may be purged by then; Conflict when it is not deleted
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
 * Restores several deleted sources, each with the attachments that were deleted with it. An email that was read while
 * it was deleted, or is still being read, is read again, and gets the attachments of that version. Skips sources that
 * somebody else has restored in the meantime, those that were deleted more than 24 hours ago, and those that the actor
 * may not see.
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
  const emails = await emailsToReadAgain(tx, companyId, given, attached);
  // until the newest version is current, the attachments of the served version return
  const missed = new Set(idsOf(emails.filter(({ state }) => state === "current")));
  const all = [...given, ...attached.filter(({ attachedTo }) => !missed.has(attachedTo ?? ""))];
  const versionIds = all.flatMap(({ versionId }) => versionId ?? []);
  await changeLiveChunks(tx, companyId, { entering: await chunkSizesOf(tx, companyId, versionIds), leaving: [] });
  await tx
    .update(sources)
    .set({ deletedAt: null, updatedAt: sql`now()` })
    .where(and(eq(sources.companyId, companyId), inArray(sources.id, idsOf(all))));
  await readAgain(tx, companyId, emails);
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

type Deleted = Awaited<ReturnType<typeof lockDeleted>>;

/**
 * The restored emails to read again: a worker left out their attachments if it read the newest version while they were
 * deleted. If the version is still processing, the worker may have read it already.
 */
async function emailsToReadAgain(
  tx: Transaction,
  companyId: CompanyId,
  given: Deleted["given"],
  attached: Deleted["attached"],
) {
  const { id, sourceId, attachedTo, currentVersionId, latestVersionId, deletedAt } = sources;
  const { state, givenMetadata, readyAt } = sourceVersions;
  const fileName = sql<string | null>`${sourceVersions.body} ->> 'fileName'`;
  const rows = await tx
    .select({ id, sourceId, state, fileName, givenMetadata })
    .from(sources)
    .innerJoin(sourceVersions, and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, latestVersionId)))
    .where(
      and(
        eq(sources.companyId, companyId),
        inArray(id, idsOf(given)),
        isNull(attachedTo),
        or(and(eq(latestVersionId, currentVersionId), gt(readyAt, deletedAt)), eq(state, "building")),
      ),
    );
  const withAttachments = new Set(attached.map((row) => row.attachedTo));
  // once it is read, an email says who wrote it; a text may have replaced an email
  const isEmail = ({ id, state, fileName, givenMetadata }: (typeof rows)[number]) =>
    withAttachments.has(id) ||
    (state === "building" ? fileName !== null && mayBeEmail(fileName) : givenMetadata !== null);
  return rows.filter(isEmail).map(({ id, sourceId, state }) => ({ id, sourceId, state, deletedAt: null }));
}

/** Reads locked emails again, for their attachments. Their chunks and vectors are kept. */
async function readAgain(tx: Transaction, companyId: CompanyId, emails: SourceRow[]): Promise<void> {
  if (emails.length === 0) return;
  const submitted = await newestTexts(tx, companyId, emails, () => ({}));
  const rows = new Map(emails.map((row) => [row.sourceId, row]));
  const given = { companyId, actor: SYSTEM_ACTOR, lock: async () => rows, submitted };
  await lockAndAccept(tx, given, { evenIfUnchanged: true });
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
