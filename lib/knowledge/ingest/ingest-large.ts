import { and, asc, eq, gte } from "drizzle-orm";
import { z } from "zod";
import { embedder } from "../../ai/models.ts";
import { chunks, versionChunks } from "../../db/schema/index.ts";
import { embeddingModelId } from "../../db/system/models.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { Job } from "../../jobs/job.ts";
import { keepPayload, reportNewProgress, reportProgress, showProgress } from "../../jobs/queue.ts";
import type { Turn } from "../../jobs/turn.ts";
import { dropPlacesAfter, ordinalsWithText, storeChunks } from "../../search-index/write-chunks.ts";
import type { ReadingProgress, ReadMetadata } from "../parse/document.ts";
import { ofVersion } from "../queries.ts";
import { storeAttachments } from "./attachments.ts";
import { companyFullError } from "./company-room.ts";
import { embedMissing } from "./embed-missing.ts";
import type { Piece } from "./pieces.ts";
import { prepareVersion, type Version } from "./prepare.ts";
import { prepareAhead } from "./prepare-ahead.ts";
import { pageKeeper, pagesKeptBy } from "./recognised-pages.ts";
import { ChunksMoved, swapVersions } from "./swap.ts";

/** Few, so that a step ends soon after its turn. */
const CHUNKS_PER_STEP = 100;

/** Stored with the job once all chunks are stored. From then on, the job can continue in any number of turns. */
const storedVersion = z.object({
  model: z.string(),
  title: z.string(),
  notice: z.string().nullable().default(null),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  chunkCount: z.number(),
});

interface Stored {
  title: string;
  notice: string | null;
  metadata: ReadMetadata;
  chunkCount: number;
  /** How many chunks, from the first on, have a vector. */
  embedded: number;
}

interface Options {
  turn: Turn;
  /** How many chunks the version may have. */
  room: number;
}

/**
 * Builds a version with many chunks in several turns: the first turn stores all chunks, the next ones embed them, and the
 * last one makes the version current. Chunks and vectors from earlier turns and attempts are kept.
 */
export async function ingestLarge(scope: TenantScope, job: Job, version: Version, options: Options): Promise<void> {
  const { modelId: model } = await embedder();
  const { data } = storedVersion.safeParse(job.payload.stored);
  const known = data?.model === model ? data : null;
  const { embedded, ...stored } = known
    ? { ...known, embedded: job.progressDone }
    : await storeVersion(scope, job, version, options);
  if (!known) {
    await keepPayload(job, { stored: { ...stored, model }, recognised: undefined });
    await reportProgress(job, embedded, stored.chunkCount);
  }
  for (let next = embedded; next < stored.chunkCount; ) {
    if (options.turn.hasEnded()) return;
    await embedMissing(scope, await textsFrom(scope, version.id, next), options.turn.signal);
    next = Math.min(next + CHUNKS_PER_STEP, stored.chunkCount);
    await reportNewProgress(job, next, stored.chunkCount);
  }
  const { title, notice, metadata, chunkCount } = stored;
  const built = { jobId: job.id, versionId: version.id, title, notice, metadata, chunkCount };
  try {
    await swapVersions(scope, [built], { modelId: await embeddingModelId(await embedder()) });
  } catch (error) {
    // the next attempt stores the chunks again
    if (error instanceof ChunksMoved) await keepPayload(job, { stored: undefined });
    throw error;
  }
}

/** Stores all chunks and embeds as many as fit into the turn. */
async function storeVersion(scope: TenantScope, job: Job, version: Version, { room, turn }: Options): Promise<Stored> {
  const { windowTokens: maxTokens } = await embedder();
  const stored: Stored = { title: version.title, notice: null, metadata: {}, chunkCount: 0, embedded: 0 };
  await prepareAhead(
    piecesOf(job, prepareVersion(version, { maxTokens, recognised: pagesKeptBy(job) }, turn.signal)),
    async (piece) => {
      const placed = piece.chunks.map((chunk) => ({ ...chunk, versionId: version.id }));
      stored.title = piece.title;
      stored.notice = piece.notice;
      stored.metadata = piece.metadata;
      if (piece.last) await storeAttachments(scope, [{ version, ...piece }]);
      stored.chunkCount += placed.length;
      if (stored.chunkCount > room) throw companyFullError();
      const { ordinals, added } = await storeChunks(scope, placed, turn.signal);
      if (added > 0) await reportProgress(job, 0, stored.chunkCount);
      return ordinalsWithText(placed, ordinals);
    },
    async (texts) => {
      if (turn.hasEnded()) return;
      await embedMissing(scope, texts, turn.signal);
      stored.embedded += texts.size;
    },
  );
  await dropPlacesAfter(scope, [{ versionId: version.id, chunkCount: stored.chunkCount }]);
  return stored;
}

/** Records the progress and the pages of text recognition, and passes on the pieces that follow. */
async function* piecesOf(job: Job, prepared: AsyncIterable<Piece | ReadingProgress>): AsyncGenerator<Piece> {
  const keepPage = pageKeeper(job);
  let recognised = false;
  for await (const each of prepared) {
    if ("last" in each) {
      // from here on, progress counts chunks
      if (recognised) await showProgress(job, 0, each.chunks.length);
      recognised = false;
      yield each;
    } else {
      recognised = true;
      const isKept = each.recognised !== undefined && (await keepPage(each.recognised));
      // pages that are not kept prove nothing: a scan that kills its worker would be retried for ever
      await (isKept ? reportProgress : showProgress)(job, each.done, each.total);
    }
  }
}

/** The texts of the next step, by ordinal. */
async function textsFrom(scope: TenantScope, versionId: string, position: number): Promise<Map<number, string>> {
  const { companyId } = scope;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ ordinal: chunks.ordinal, text: chunks.embeddingText })
      .from(versionChunks)
      .innerJoin(chunks, and(eq(chunks.companyId, companyId), eq(chunks.id, versionChunks.chunkId)))
      .where(and(ofVersion(companyId, versionId), gte(versionChunks.position, position)))
      .orderBy(asc(versionChunks.position))
      .limit(CHUNKS_PER_STEP),
  );
  return new Map(rows.map(({ ordinal, text }) => [ordinal, text]));
}
