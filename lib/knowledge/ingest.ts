import { and, eq, inArray } from "drizzle-orm";
import { embeddingModelId } from "../ai/model-registry.ts";
import { embedder, tokenizer } from "../ai/models.ts";
import { sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { failureOf, meetsAll } from "../jobs/failure.ts";
import { type Claim, DEATHS_MAX, failJob, type Job, reportProgress } from "../jobs/queue.ts";
import { workScope } from "../jobs/work-scope.ts";
import { log } from "../log.ts";
import { batches, indexChunks, withoutVector, writePlaces, writeVectors } from "./index-chunks.ts";
import { overlap } from "./overlap.ts";
import { UnreadableFile } from "./parse/document.ts";
import { type PreparedVersion, prepareVersion } from "./prepare.ts";
import { objectStore } from "./storage/index.ts";
import { swapVersions } from "./swap.ts";

/** Small sources are embedded and swapped together up to this many chunks. */
const CHUNKS_PER_GROUP = 200;
/** One call to the embedding model: a remote one is asked seldom, the local one's vectors are written while it goes on. */
const TEXTS_PER_CALL = { local: 16, remote: 64 };

interface Prepared extends PreparedVersion {
  job: Job;
  versionId: string;
}

/** Builds the versions of the claimed jobs and makes them current. A source that fails, fails alone. */
export async function ingest(claim: Claim, signal: AbortSignal): Promise<void> {
  const scope = workScope(claim.companyId);
  const versions = await versionsOf(scope, claim.jobs);
  const model = await embedder();
  const tools = { store: objectStore(), tokenizer: await tokenizer(), maxTokens: model.windowTokens };

  let group: Prepared[] = [];
  for (const job of claim.jobs) {
    if (signal.aborted) return;
    const version = versions.get(job.subjectId ?? "");
    try {
      if (!version) throw new UnreadableFile("The source was deleted before it was read.");
      if (job.attempts > DEATHS_MAX) throw new UnreadableFile("Reading it ended the program again and again.");
      group.push({ job, versionId: version.id, ...(await prepareVersion(version, tools, signal)) });
    } catch (error) {
      if (signal.aborted) return;
      await failAttempt(job, claim.token, error);
    }
    if (group.reduce((sum, { chunks }) => sum + chunks.length, 0) >= CHUNKS_PER_GROUP) {
      await buildGroup(scope, group, claim.token, signal);
      group = [];
    }
  }
  await buildGroup(scope, group, claim.token, signal);
}

async function buildGroup(
  scope: TenantScope,
  group: Prepared[],
  leaseToken: string,
  signal: AbortSignal,
): Promise<void> {
  if (group.length === 0) return;
  try {
    await build(scope, group, leaseToken, signal);
  } catch (error) {
    if (signal.aborted) return;
    // one of several may be at fault: each tries alone, so that it fails alone
    if (group.length > 1) for (const only of group) await buildGroup(scope, [only], leaseToken, signal);
    else for (const { job } of group) await failAttempt(job, leaseToken, error);
  }
}

async function build(scope: TenantScope, group: Prepared[], leaseToken: string, signal: AbortSignal): Promise<void> {
  await writePlaces(scope, group);
  for (const { job, chunks } of group.filter(({ chunks }) => chunks.length > CHUNKS_PER_GROUP)) {
    await reportProgress(job.id, leaseToken, 0, chunks.length);
  }
  const all = group.flatMap(({ chunks }) => chunks);
  let done = 0;
  await overlap(
    batches(all),
    async (chunks) => {
      const ordinals = await indexChunks(scope, chunks, signal);
      return new Map(chunks.map(({ id, embeddingText }) => [ordinals.get(id) ?? -1, embeddingText]));
    },
    async (texts) => {
      await embedTexts(scope, texts, signal);
      done += texts.size;
      const [only] = group;
      if (group.length === 1 && only) await reportProgress(only.job.id, leaseToken, done, all.length);
    },
  );
  await swapVersions(
    scope,
    group.map(({ job, versionId, title, chunks }) => ({ jobId: job.id, versionId, title, chunkCount: chunks.length })),
    { leaseToken, modelId: await embeddingModelId(await embedder()) },
  );
}

/** Embeds the texts of these ordinals by the model in use, where the vectors are not there yet. */
export async function embedTexts(scope: TenantScope, texts: Map<number, string>, signal: AbortSignal): Promise<void> {
  const model = await embedder();
  const modelId = await embeddingModelId(model);
  const missing = [...(await withoutVector(scope, modelId, [...texts.keys()]))];
  await overlap(
    batches(missing, model.local ? TEXTS_PER_CALL.local : TEXTS_PER_CALL.remote),
    async (batch) => {
      const vectors = await model.embedChunks(
        batch.map((ordinal) => texts.get(ordinal) ?? ""),
        signal,
      );
      return batch.flatMap((ordinal, index) => {
        const vector = vectors[index];
        return vector ? [{ ordinal, vector }] : [];
      });
    },
    (vectors) => writeVectors(scope, modelId, vectors),
  );
}

async function versionsOf(scope: TenantScope, jobs: Job[]) {
  const ids = jobs.flatMap(({ subjectId }) => subjectId ?? []);
  const rows = await scope.transaction((tx) =>
    tx
      .select()
      .from(sourceVersions)
      .where(and(eq(sourceVersions.companyId, scope.companyId), inArray(sourceVersions.id, ids))),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws the error itself when it meets every job, so that the rest of the claim need not try */
async function failAttempt(job: Job, leaseToken: string, error: unknown): Promise<void> {
  if (meetsAll(error)) throw error;
  const failure = failureOf(error);
  const about = { jobId: job.id, attempt: job.attempts };
  if (failure.cause === "away") log().warn({ reason: failure.reason, ...about }, "ingestion put off");
  else if (failure.cause === "unknown") log().error({ err: error, ...about }, "ingestion failed");
  await failJob(job, leaseToken, failure);
}
