import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "../db/client.ts";
import { companies, jobs, sources, sourceVersions } from "../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { chunkSizesOf, lockCompany, setLive } from "./live.ts";

/** A version whose chunks, vectors and postings are all written, and the job that did it. */
export interface BuiltVersion {
  versionId: string;
  jobId: string;
  title: string;
  chunkCount: number;
}

/**
 * Makes built versions the current ones, with their jobs' ends, in one transaction that touches only pointers:
 * retrieval sees the old version or the new one. A version that a newer one has overtaken is put aside instead.
 * @param leaseToken jobs that another worker has taken over are left alone
 * @param modelId the model of the vectors, which serves a company that had none
 */
export async function swapVersions(
  scope: TenantScope,
  built: BuiltVersion[],
  { leaseToken, modelId }: { leaseToken: string; modelId: number },
): Promise<void> {
  await scope.transaction(async (tx) => {
    const { companyId } = scope;
    await lockCompany(tx, companyId);
    const held = await endJobs(tx, companyId, built, leaseToken);
    const swaps = await currentAndNext(tx, companyId, held);
    const ready = swaps.filter(({ overtaken }) => !overtaken);

    const replaced = ready.flatMap(({ currentVersionId, versionId }) =>
      currentVersionId && currentVersionId !== versionId ? currentVersionId : [],
    );
    const before = await chunkSizesOf(tx, companyId, replaced);
    const after = await chunkSizesOf(
      tx,
      companyId,
      ready.map(({ versionId }) => versionId),
    );
    const [wasLive, isLive] = [before, after].map((list) => new Set(list.map(({ ordinal }) => ordinal)));
    await setLive(tx, companyId, {
      entering: after.filter(({ ordinal }) => !wasLive?.has(ordinal)),
      leaving: before.filter(({ ordinal }) => !isLive?.has(ordinal)),
    });

    for (const { versionId, sourceId, title, chunkCount, overtaken } of swaps) {
      const state = overtaken ? "superseded" : "current";
      await tx
        .update(sourceVersions)
        .set({ state, title, chunkCount, readyAt: sql`now()`, error: null })
        .where(and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, versionId)));
      if (overtaken) continue;
      await tx
        .update(sources)
        .set({ currentVersionId: versionId, updatedAt: sql`now()` })
        .where(and(eq(sources.companyId, companyId), eq(sources.id, sourceId)));
    }
    await supersede(tx, companyId, replaced);
    await tx
      .update(companies)
      .set({ embeddingModelId: modelId })
      .where(and(eq(companies.id, companyId), isNull(companies.embeddingModelId)));
    const stale = swaps.filter(({ overtaken, currentVersionId }) => overtaken || currentVersionId);
    if (stale.length > 0) {
      await enqueue(
        tx,
        stale.map(({ sourceId }) => ({ companyId, kind: "purge", subjectId: sourceId })),
      );
    }
  });
}

async function endJobs(tx: Transaction, companyId: CompanyId, built: BuiltVersion[], leaseToken: string) {
  const ended = await tx
    .update(jobs)
    .set({ state: "done", finishedAt: sql`now()`, leaseToken: null, leaseUntil: null, lastError: null })
    .where(
      and(
        eq(jobs.companyId, companyId),
        inArray(
          jobs.id,
          built.map(({ jobId }) => jobId),
        ),
        eq(jobs.leaseToken, leaseToken),
      ),
    )
    .returning({ id: jobs.id });
  const ids = new Set(ended.map(({ id }) => id));
  return built.filter(({ jobId }) => ids.has(jobId));
}

async function currentAndNext(tx: Transaction, companyId: CompanyId, built: BuiltVersion[]) {
  if (built.length === 0) return [];
  const rows = await tx
    .select({
      versionId: sourceVersions.id,
      sourceId: sources.id,
      currentVersionId: sources.currentVersionId,
      latestVersionId: sources.latestVersionId,
      deletedAt: sources.deletedAt,
    })
    .from(sourceVersions)
    .innerJoin(sources, and(eq(sources.companyId, companyId), eq(sources.id, sourceVersions.sourceId)))
    .where(
      and(
        eq(sourceVersions.companyId, companyId),
        inArray(
          sourceVersions.id,
          built.map(({ versionId }) => versionId),
        ),
      ),
    );
  const byVersion = new Map(rows.map((row) => [row.versionId, row]));
  return built.flatMap((version) => {
    const row = byVersion.get(version.versionId);
    if (!row) return [];
    const overtaken = row.latestVersionId !== version.versionId || row.deletedAt !== null;
    return [{ ...version, ...row, overtaken }];
  });
}

async function supersede(tx: Transaction, companyId: CompanyId, versionIds: string[]): Promise<void> {
  if (versionIds.length === 0) return;
  await tx
    .update(sourceVersions)
    .set({ state: "superseded" })
    .where(and(eq(sourceVersions.companyId, companyId), inArray(sourceVersions.id, versionIds)));
}
