import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "../../db/client.ts";
import { companies, sources, sourceVersions } from "../../db/schema/index.ts";
import { sendAll, sendBoth } from "../../db/send.ts";
import { intArray, textArray, uuidArray } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { finishJobs } from "../../jobs/queue.ts";
import {
  changeLiveChunks,
  chunkSizesOf,
  countLiveChunks,
  lockSearchIndex,
  type SizedChunk,
} from "../../search-index/live-chunks.ts";
import { EXACT_CHUNKS_MAX } from "../../search-index/vector-graph.ts";
import { ordinalsWithoutVector } from "../../search-index/write-chunks.ts";
import type { ReadMetadata } from "../parse/document.ts";

/** A version whose chunks, vectors and postings are all written, and its job. */
interface BuiltVersion {
  versionId: string;
  jobId: string;
  title: string;
  /** What people should know about how well the file was read; null for nothing. */
  notice: string | null;
  chunkCount: number;
  /** What the content says about itself, for example the sender of an email. */
  metadata: ReadMetadata;
}

/** Another job for the source has given chunks of the version new slots, so they must be stored again. */
export class ChunksMoved extends Error {
  constructor() {
    super("Another version of the source was processed at the same time, so this one is processed again.");
    this.name = "ChunksMoved";
  }
}

/**
 * Makes built versions current and finishes their jobs, in one transaction that changes only pointers, so that retrieval
 * sees either the old or the new version. A version that is no longer the newest is superseded instead.
 * @param modelId the model of the vectors, which becomes the serving model of a company without one
 * @throws {ChunksMoved}
 */
export async function swapVersions(
  scope: TenantScope,
  built: BuiltVersion[],
  { modelId }: { modelId: number },
): Promise<void> {
  await scope.changeContent(async (tx) => {
    const { companyId } = scope;
    const jobIds = built.map(({ jobId }) => jobId);
    const [, swaps] = await sendBoth(
      () => sendAll([() => lockSearchIndex(tx, companyId), () => finishJobs(tx, companyId, jobIds)]),
      () => currentAndNext(tx, companyId, built),
    );
    const ready = swaps.filter(({ overtaken }) => !overtaken);
    const replaced = ready.flatMap(({ currentVersionId, versionId }) =>
      currentVersionId && currentVersionId !== versionId ? currentVersionId : [],
    );
    const idsOf = (some: Swap[]) => some.map(({ versionId }) => versionId);
    // a source that was deleted in the meantime stays invisible, ready to be restored
    const shown = idsOf(ready.filter(({ deletedAt }) => deletedAt === null));
    const hidden = idsOf(ready.filter(({ deletedAt }) => deletedAt !== null));
    const [before, [entering, leaving]] = await sendBoth(
      () => countLiveChunks(tx, companyId),
      () =>
        sendBoth(
          () => chunkSizesOf(tx, companyId, shown),
          () => chunkSizesOf(tx, companyId, replaced),
        ),
    );
    await requireComplete(tx, companyId, modelId, [...entering, ...(await chunkSizesOf(tx, companyId, hidden))]);
    const stays = new Set(entering.map(({ ordinal }) => ordinal));
    await changeLiveChunks(tx, companyId, { entering, leaving: leaving.filter(({ ordinal }) => !stays.has(ordinal)) });

    const [after] = await sendBoth(
      () => countLiveChunks(tx, companyId),
      () =>
        sendAll([
          () => endVersions(tx, companyId, swaps),
          () => pointToVersions(tx, companyId, ready),
          () => supersede(tx, companyId, replaced),
          () => chooseModel(tx, companyId, modelId),
          () => purgeStale(tx, companyId, swaps),
        ]),
    );
    if (needsGraph(before, after)) await enqueue(tx, [{ companyId, kind: "maintain" }]);
  });
}

/** Requires the postings and the vectors of chunks that become visible, now or when their source is restored. */
async function requireComplete(tx: Transaction, companyId: CompanyId, modelId: number, entering: SizedChunk[]) {
  const ordinals = entering.map(({ ordinal }) => ordinal);
  const withoutVector = await ordinalsWithoutVector(tx, companyId, { modelId, ordinals });
  if (withoutVector.size > 0 || entering.some(({ indexed }) => !indexed)) throw new ChunksMoved();
}

/** A company that becomes large, or has as many new chunks again, does not wait for the hourly job. */
function needsGraph(before: number, after: number): boolean {
  const multiple = (live: number) => Math.max(1, Math.ceil(live / EXACT_CHUNKS_MAX));
  return multiple(after) > multiple(before);
}

type Swap = Awaited<ReturnType<typeof currentAndNext>>[number];

async function currentAndNext(tx: Transaction, companyId: CompanyId, built: BuiltVersion[]) {
  if (built.length === 0) return [];
  const rows = await tx
    .select({
      versionId: sourceVersions.id,
      number: sourceVersions.number,
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
        sql`${sourceVersions.id} = any(${uuidArray(built.map(({ versionId }) => versionId))})`,
      ),
    );
  const byVersion = new Map(rows.map((row) => [row.versionId, row]));
  return built.flatMap((version) => {
    const row = byVersion.get(version.versionId);
    if (!row) return [];
    return [{ ...version, ...row, overtaken: row.latestVersionId !== version.versionId }];
  });
}

/** Updates all versions in one statement, because a group may have hundreds of small sources. */
async function endVersions(tx: Transaction, companyId: CompanyId, swaps: Swap[]): Promise<void> {
  await tx.execute(sql`
    update ${sourceVersions} set state = built.state, title = built.title, chunk_count = built.chunks,
      notice = nullif(built.notice, ''), ready_at = now(), error = null,
      metadata = built.metadata::jsonb || source_versions.metadata,
      given_metadata = case when built.metadata <> '{}' then source_versions.metadata end
    from unnest(
      ${uuidArray(swaps.map(({ versionId }) => versionId))},
      ${textArray(swaps.map(({ overtaken }) => (overtaken ? "superseded" : "current")))},
      ${textArray(swaps.map(({ title }) => title))},
      ${textArray(swaps.map(({ notice }) => notice ?? ""))},
      ${intArray(swaps.map(({ chunkCount }) => chunkCount))},
      ${textArray(swaps.map(({ metadata }) => JSON.stringify(metadata)))}
    ) as built (id, state, title, notice, chunks, metadata)
    where source_versions.company_id = ${companyId} and source_versions.id = built.id`);
}

async function pointToVersions(tx: Transaction, companyId: CompanyId, ready: Swap[]): Promise<void> {
  await tx.execute(sql`
    update ${sources} set current_version_id = ready.version_id, updated_at = now()
    from unnest(
      ${uuidArray(ready.map(({ sourceId }) => sourceId))},
      ${uuidArray(ready.map(({ versionId }) => versionId))}
    ) as ready (source_id, version_id)
    where sources.company_id = ${companyId} and sources.id = ready.source_id`);
}

async function supersede(tx: Transaction, companyId: CompanyId, versionIds: string[]): Promise<void> {
  if (versionIds.length === 0) return;
  await tx
    .update(sourceVersions)
    .set({ state: "superseded" })
    .where(and(eq(sourceVersions.companyId, companyId), sql`${sourceVersions.id} = any(${uuidArray(versionIds)})`));
}

/** Sets the company's serving model if it has none. */
async function chooseModel(tx: Transaction, companyId: CompanyId, modelId: number): Promise<void> {
  await tx
    .update(companies)
    .set({ embeddingModelId: modelId })
    .where(and(eq(companies.id, companyId), isNull(companies.embeddingModelId)));
}

/** Enqueues the deletion of versions that are no longer served. */
async function purgeStale(tx: Transaction, companyId: CompanyId, swaps: Swap[]): Promise<void> {
  const stale = swaps.filter(({ overtaken, number }) => overtaken || number > 1);
  await enqueue(
    tx,
    stale.map(({ sourceId }) => ({ companyId, kind: "purge", subjectId: sourceId })),
  );
}
