import { and, eq, inArray, ne, notExists, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { chunks, embeddings, sources, sourceVersions, versionChunks } from "../db/schema/index.ts";
import { type CompanyId, type TenantScope, tenantScope } from "../db/tenant.ts";
import type { Job } from "../jobs/queue.ts";
import { ROWS_PER_TRANSACTION } from "./index-chunks.ts";
import { lockCompany } from "./live.ts";
import { objectStore } from "./storage/index.ts";

/** How long a deleted source can be brought back. */
export const UNDO_HOURS = 24;

/**
 * Removes what no version of a source needs any more: the places of superseded versions, then the chunks that no
 * version holds, with their vectors. A source that was deleted for good goes whole, its originals too.
 */
export async function purge(job: Job, signal: AbortSignal): Promise<void> {
  const scope = tenantScope(job.companyId);
  const sourceId = job.subjectId;
  if (!sourceId) return;
  const gone = await retireDeleted(scope, sourceId);
  const stale = await staleVersions(scope, sourceId);
  for (const { id, body } of stale) {
    await repeat(signal, () => scope.transaction((tx) => deletePlaces(tx, scope.companyId, id)));
    if (body.kind === "file") await deleteOriginal(scope, id, body.storageKey);
  }
  await repeat(signal, () => scope.transaction((tx) => deleteUnheldChunks(tx, scope.companyId, sourceId)));
  if (gone) await scope.transaction((tx) => deleteSource(tx, scope.companyId, sourceId));
}

/** A source whose time for undo is over loses its versions. @returns whether it is to go */
async function retireDeleted(scope: TenantScope, sourceId: string): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const own = and(eq(sources.companyId, scope.companyId), eq(sources.id, sourceId));
    const rows = await tx
      .select({ id: sources.id })
      .from(sources)
      .where(and(own, sql`${sources.deletedAt} <= now() - make_interval(hours => ${UNDO_HOURS})`))
      .for("update");
    if (rows.length === 0) return false;
    await tx.update(sources).set({ currentVersionId: null }).where(own);
    await tx
      .update(sourceVersions)
      .set({ state: "superseded" })
      .where(and(eq(sourceVersions.companyId, scope.companyId), eq(sourceVersions.sourceId, sourceId)));
    return true;
  });
}

async function staleVersions(scope: TenantScope, sourceId: string) {
  return scope.transaction((tx) =>
    tx
      .select({ id: sourceVersions.id, body: sourceVersions.body })
      .from(sourceVersions)
      .where(
        and(
          eq(sourceVersions.companyId, scope.companyId),
          eq(sourceVersions.sourceId, sourceId),
          eq(sourceVersions.state, "superseded"),
        ),
      ),
  );
}

/** The original goes, unless another version that may still be read has the same one. */
async function deleteOriginal(scope: TenantScope, versionId: string, storageKey: string): Promise<void> {
  const others = await scope.transaction((tx) =>
    tx.$count(
      sourceVersions,
      and(
        eq(sourceVersions.companyId, scope.companyId),
        ne(sourceVersions.id, versionId),
        ne(sourceVersions.state, "superseded"),
        sql`${sourceVersions.body} ->> 'storageKey' = ${storageKey}`,
      ),
    ),
  );
  if (others === 0) await objectStore().delete(storageKey);
}

async function deletePlaces(tx: Transaction, companyId: CompanyId, versionId: string): Promise<number> {
  const own = and(eq(versionChunks.companyId, companyId), eq(versionChunks.versionId, versionId));
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

async function deleteUnheldChunks(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<number> {
  await lockCompany(tx, companyId);
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

async function deleteSource(tx: Transaction, companyId: CompanyId, sourceId: string): Promise<void> {
  await tx
    .delete(sources)
    .where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId), sql`${sources.deletedAt} is not null`));
}

/** Small transactions until one finds nothing left. */
async function repeat(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  do signal.throwIfAborted();
  while ((await step()) === ROWS_PER_TRANSACTION);
}
