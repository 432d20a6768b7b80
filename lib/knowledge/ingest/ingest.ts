import { bulkhead } from "cockatiel";
import { and, eq, inArray } from "drizzle-orm";
import { embedder } from "../../ai/models.ts";
import { batches } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import { sourceVersions } from "../../db/schema/index.ts";
import { embeddingModelId } from "../../db/system/models.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { Failure } from "../../jobs/failure.ts";
import type { JobContext, JobHandler } from "../../jobs/handler.ts";
import type { Claim, Job } from "../../jobs/job.ts";
import { moveToSlowLane } from "../../jobs/queue.ts";
import { workScope } from "../../jobs/work-scope.ts";
import { dropPlacesAfter, ordinalsWithText, storeChunks } from "../../search-index/write-chunks.ts";
import { UnreadableFile } from "../parse/document.ts";
import { ReadingTimeout } from "../parse/pool.ts";
import { storeAttachments } from "./attachments.ts";
import { companyFullError, freeChunks, roomFor } from "./company-room.ts";
import { embedMissing } from "./embed-missing.ts";
import { ingestLarge } from "./ingest-large.ts";
import { type PreparedVersion, prepareShortTexts, prepareSmall, type Version } from "./prepare.ts";
import { prepareAhead } from "./prepare-ahead.ts";
import { swapVersions } from "./swap.ts";

/** Few, because versions are read with their texts, which may be long. */
const VERSIONS_PER_READ = 16;
/** Small sources are embedded and made current together, up to this many chunks. A claim of texts of one chunk fits. */
const CHUNKS_PER_GROUP = 80;

/** One claim stores while the next one is read. Two that store would share the database, and nothing would be read. */
const STORE_QUEUE = bulkhead(1, Number.POSITIVE_INFINITY);

interface Prepared extends PreparedVersion {
  job: Job;
  version: Version;
}

export const INGEST: JobHandler = { run: ingest, onFailed: failVersion };

/**
 * Builds the versions of the claimed jobs and makes them current. Reads the next group of sources while it stores the last
 * one. A source that fails does not affect the others.
 */
async function ingest(claim: Claim, context: JobContext): Promise<void> {
  let hasBuilt = false;
  await prepareAhead(
    preparedGroups(claim, context),
    async (group) => group,
    async (group) => {
      // a group read as the turn ended is left for the next turn
      if (hasBuilt && context.turn.hasEnded()) return;
      hasBuilt = true;
      await STORE_QUEUE.execute(() => buildGroup(group, context));
    },
  );
}

/** Prepares small sources in groups, and builds the large ones itself. */
async function* preparedGroups(claim: Claim, context: JobContext): AsyncGenerator<Prepared[]> {
  const { turn } = context;
  const scope = workScope(claim.jobs);
  const free = await freeChunks(scope);
  const { windowTokens } = await embedder();

  let group: Prepared[] = [];
  let isFirst = true;
  for await (const { job, version, short } of withVersions(claim, windowTokens, turn.signal)) {
    // reading may take the whole turn, and every turn must do something
    if (!isFirst && turn.hasEnded()) break;
    isFirst = false;
    try {
      if (!version) throw new UnreadableFile("The source was deleted before it was processed.");
      const room = await roomFor(workScope([job]), version, free);
      if (room === 0) throw companyFullError();
      if (claim.lane === "slow") {
        await ingestLarge(workScope([job]), job, version, { room, turn });
        continue;
      }
      const prepared = short ?? (await prepareQuick(version, windowTokens, turn.signal));
      if (prepared && prepared.chunks.length > room) throw companyFullError();
      if (prepared) group.push({ job, version, ...prepared });
      else await moveToSlowLane(job);
    } catch (error) {
      if (turn.signal.aborted) return;
      await context.failAttempt(job, error);
    }
    if (group.reduce((sum, { chunks }) => sum + chunks.length, 0) >= CHUNKS_PER_GROUP) {
      yield group;
      group = [];
    }
  }
  context.letNextBegin();
  if (group.length > 0) yield group;
}

/** @returns null for a source that is large or takes long to read */
async function prepareQuick(version: Version, maxTokens: number, signal: AbortSignal): Promise<PreparedVersion | null> {
  try {
    return await prepareSmall(version, maxTokens, signal);
  } catch (error) {
    if (error instanceof ReadingTimeout) return null;
    throw error;
  }
}

async function buildGroup(group: Prepared[], context: JobContext): Promise<void> {
  try {
    await build(group, context.turn.signal);
  } catch (error) {
    if (context.turn.signal.aborted) return;
    if (context.affectsEveryJob(error)) throw error;
    // one of them may be the cause: built one by one, only that one fails
    if (group.length > 1) for (const only of group) await buildGroup([only], context);
    else for (const { job } of group) await context.failAttempt(job, error);
  }
}

async function build(group: Prepared[], signal: AbortSignal): Promise<void> {
  const jobs = group.map(({ job }) => job);
  const scope = workScope(jobs);
  const placed = group.flatMap(({ version, chunks }) => chunks.map((chunk) => ({ ...chunk, versionId: version.id })));
  await prepareAhead(
    batches(placed),
    async (chunks) => ordinalsWithText(chunks, (await storeChunks(scope, chunks, signal)).ordinals),
    (texts) => embedMissing(scope, texts, signal),
  );
  const built = group.map(({ job, version, title, notice, metadata, chunks }) => ({
    jobId: job.id,
    versionId: version.id,
    title,
    notice,
    metadata,
    chunkCount: chunks.length,
  }));
  await storeAttachments(scope, group);
  await dropPlacesAfter(scope, built);
  await swapVersions(scope, built, { modelId: await embeddingModelId(await embedder()) });
}

interface Read {
  job: Job;
  /** Undefined if it was deleted. */
  version: Version | undefined;
  /** The version of a short text, prepared. */
  short: PreparedVersion | undefined;
}

/** The jobs with their versions, some of which are read at a time. */
async function* withVersions({ jobs, lane }: Claim, maxTokens: number, signal: AbortSignal): AsyncGenerator<Read> {
  let together = lane === "quick";
  for (const some of batches(jobs, VERSIONS_PER_READ)) {
    // earlier jobs may be done, and no longer held
    const versions = await versionsOf(workScope(some), some);
    const short = together ? await prepareShortTexts([...versions.values()], maxTokens, signal) : null;
    together = short !== null;
    for (const job of some) {
      const id = job.subjectId ?? "";
      yield { job, version: versions.get(id), short: short?.get(id) };
    }
  }
}

async function versionsOf(scope: TenantScope, jobs: Job[]): Promise<Map<string, Version>> {
  const ids = jobs.flatMap(({ subjectId }) => subjectId ?? []);
  const rows = await scope.transaction((tx) =>
    tx
      .select()
      .from(sourceVersions)
      .where(and(eq(sourceVersions.companyId, scope.companyId), inArray(sourceVersions.id, ids))),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A version whose job is not retried any more has failed, so that nobody waits for it. */
async function failVersion(tx: Transaction, { companyId, subjectId }: Job, { shown }: Failure): Promise<void> {
  if (!subjectId) return;
  await tx
    .update(sourceVersions)
    .set({ state: "failed", error: shown })
    .where(
      and(
        eq(sourceVersions.companyId, companyId),
        eq(sourceVersions.id, subjectId),
        eq(sourceVersions.state, "building"),
      ),
    );
}
