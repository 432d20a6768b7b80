import { and, desc, eq, inArray, isNotNull, isNull, ne, notExists, notInArray, or, sql } from "drizzle-orm";
import { ROWS_PER_TRANSACTION } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import {
  chunks,
  embeddings,
  returnedChunks,
  sources,
  sourceVersions,
  suggestions,
  versionChunks,
} from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import type { Job } from "../../jobs/job.ts";
import type { Turn } from "../../jobs/turn.ts";
import { lockSearchIndex } from "../../search-index/live-chunks.ts";
import { lockOriginals } from "../original-lock.ts";
import { ofVersion } from "../queries.ts";
import { deleteUnusedOriginals } from "../unused-originals.ts";
import { UNDO_HOURS, VERSIONS_RESTORABLE, VERSIONS_SHOWN } from "../values.ts";

/**
 * Deletes what no version of a source needs any more: chunk positions of replaced versions, then chunks without a
 * version, with their vectors, then the texts and originals of versions that cannot be restored. Deletes a source
 * completely when it can no longer be restored.
 * @returns true: a purge is not divided into turns
 */
export async function purge({ subjectId: sourceId }: Job, scope: TenantScope, { signal }: Turn): Promise<boolean> {
  if (!sourceId) return true;
  const retired = await scope.transaction((tx) => retireDeleted(tx, scope.companyId, sourceId));
  for (let id = await nextStale(scope, sourceId); id; id = await nextStale(scope, sourceId)) {
    const versionId = id;
    await repeat(signal, () => scope.transaction((tx) => deletePositions(tx, scope.companyId, versionId)));
    await scope.transaction((tx) => markPurged(tx, scope.companyId, versionId));
  }
  while (await scope.transaction((tx) => emptyNextVersion(tx, scope.companyId, sourceId))) signal.throwIfAborted();
  await repeat(signal, () => scope.transaction((tx) => deleteUnusedChunks(tx, scope.companyId, sourceId)));
  await repeat(signal, () => scope.transaction((tx) => deleteOldVersions(tx, scope.companyId, sourceId)));
  if (retired) await scope.transaction((tx) => deleteSource(tx, scope.companyId, sourceId));
  return true;
}

/**
 * Locks a source if it can no longer be restored. Each transaction asks again, because the source may be added again in
 * between.
 * @returns whether it is such a source
 */
async function lockGone(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(
      and(
        eq(sources.companyId, companyId),
        eq(sources.id, sourceId),
        sql`${sources.deletedAt} <= now() - make_interval(hours => ${UNDO_HOURS})`,
      ),
    )
    .for("update");
  return rows.length > 0;
}

/** Retires the versions of a source that can no longer be restored. @returns whether it is such a source */
async function retireDeleted(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<boolean> {
  if (!(await lockGone(tx, companyId, sourceId))) return false;
  await tx
    .update(sources)
    .set({ currentVersionId: null })
    .where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId)));
  await tx
    .update(sourceVersions)
    .set({ state: "superseded" })
    .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, sourceId)));
  return true;
}

/** The next version that was replaced, or failed before a newer one, and is not purged yet. */
async function nextStale(scope: TenantScope, sourceId: string): Promise<string | null> {
  const { companyId } = scope;
  const [version] = await scope.transaction((tx) =>
    tx
      .select({ id: sourceVersions.id })
      .from(sourceVersions)
      .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceVersions.sourceId)))
      .where(
        and(
          eq(sourceVersions.companyId, companyId),
          eq(sourceVersions.sourceId, sourceId),
          inArray(sourceVersions.state, ["superseded", "failed"]),
          isNull(sourceVersions.purgedAt),
          // the newest version stays even if it failed, because a retry needs it
          or(eq(sourceVersions.state, "superseded"), ne(sources.latestVersionId, sourceVersions.id)),
        ),
      )
      .limit(1),
  );
  return version?.id ?? null;
}

async function markPurged(tx: Transaction, companyId: CompanyId, id: string): Promise<void> {
  const own = and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, id));
  await tx.update(sourceVersions).set({ purgedAt: sql`now()` }).where(own);
}

/**
 * Deletes the text of the next purged version that nobody can restore, and its original unless another version uses it.
 * The newest replaced versions of a source can be restored; one that failed cannot.
 * @returns whether there was one
 */
async function emptyNextVersion(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<boolean> {
  const restorable = (await lockGone(tx, companyId, sourceId)) ? 0 : VERSIONS_RESTORABLE;
  const { id, state, number, storageKey: original, purgedAt, emptiedAt } = sourceVersions;
  const purged = and(
    eq(sourceVersions.companyId, companyId),
    eq(sourceVersions.sourceId, sourceId),
    isNotNull(purgedAt),
  );
  const kept = tx
    .select({ id })
    .from(sourceVersions)
    .where(and(purged, eq(state, "superseded")))
    .orderBy(desc(number))
    .limit(restorable);
  const [next] = await tx
    .select({ id, storageKey: original })
    .from(sourceVersions)
    .where(and(purged, isNull(emptiedAt), notInArray(id, kept)))
    .limit(1);
  if (!next) return false;
  const { storageKey } = next;
  // the same file may be uploaded again at this moment
  if (storageKey) await lockOriginals(tx, [storageKey]);
  await tx
    .update(sourceVersions)
    .set({ body: { kind: "text", content: "" }, storageKey: null, emptiedAt: sql`now()` })
    .where(and(eq(sourceVersions.companyId, companyId), eq(id, next.id)));
  if (storageKey) await deleteUnusedOriginals(tx, companyId, [storageKey]);
  return true;
}

/** Deletes the purged versions that no page shows. */
async function deleteOldVersions(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<number> {
  const own = and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.sourceId, sourceId));
  const old = tx
    .select({ id: sourceVersions.id })
    .from(sourceVersions)
    .where(own)
    .orderBy(desc(sourceVersions.number))
    .offset(VERSIONS_SHOWN)
    .limit(ROWS_PER_TRANSACTION);
  const rows = await tx
    .delete(sourceVersions)
    .where(and(own, isNotNull(sourceVersions.purgedAt), inArray(sourceVersions.id, old)))
    .returning({ id: sourceVersions.id });
  return rows.length;
}

async function deletePositions(tx: Transaction, companyId: CompanyId, versionId: string): Promise<number> {
  const own = ofVersion(companyId, versionId);
  const batch = tx
    .select({ position: versionChunks.position })
    .from(versionChunks)
    .where(own)
    .limit(ROWS_PER_TRANSACTION);
  const rows = await tx
    .delete(versionChunks)
    .where(and(own, inArray(versionChunks.position, batch)))
    .returning({ position: versionChunks.position });
  return rows.length;
}

async function deleteUnusedChunks(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<number> {
  await lockSearchIndex(tx, companyId);
  const unheld = await tx
    .select({ id: chunks.id, ordinal: chunks.ordinal })
    .from(chunks)
    .where(
      and(
        eq(chunks.companyId, companyId),
        eq(chunks.sourceId, sourceId),
        notExists(
          tx
            .select({ one: sql`1` })
            .from(versionChunks)
            .where(and(eq(versionChunks.companyId, companyId), eq(versionChunks.chunkId, chunks.id))),
        ),
      ),
    )
    .limit(ROWS_PER_TRANSACTION);
  if (unheld.length === 0) return 0;
  const ordinals = unheld.map(({ ordinal }) => ordinal);
  await tx.delete(embeddings).where(and(eq(embeddings.companyId, companyId), inArray(embeddings.ordinal, ordinals)));
  await tx.delete(chunks).where(and(eq(chunks.companyId, companyId), inArray(chunks.ordinal, ordinals)));
  return unheld.length;
}

/** Deletes a retired source with the rows that belong to it, unless it was added again. */
async function deleteSource(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<void> {
  if (!(await lockGone(tx, companyId, sourceId))) return;
  const { companyId: company, sourceId: source } = returnedChunks;
  await tx.delete(returnedChunks).where(and(eq(company, companyId), eq(source, sourceId)));
  await tx.delete(suggestions).where(and(eq(suggestions.companyId, companyId), eq(suggestions.sourceId, sourceId)));
  await tx.delete(sources).where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId)));
}

/** Repeats a small transaction until nothing is left. Unlike `repeatStep`, it goes on after the turn has ended. */
async function repeat(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  do signal.throwIfAborted();
  while ((await step()) === ROWS_PER_TRANSACTION);
}
