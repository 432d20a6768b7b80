import { randomUUID } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { embedder } from "../../ai/models.ts";
import { ROWS_PER_TRANSACTION } from "../../db/batches.ts";
import { chunks, companies, embeddings } from "../../db/schema/index.ts";
import { embeddingModelId } from "../../db/system/models.ts";
import type { TenantScope } from "../../db/tenant.ts";
import type { Job } from "../../jobs/job.ts";
import { keepPayload, reportNewProgress } from "../../jobs/queue.ts";
import type { Turn } from "../../jobs/turn.ts";
import { lockSearchIndex } from "../../search-index/live-chunks.ts";
import { growGraph } from "../../search-index/vector-graph.ts";
import { embedMissing } from "./embed-missing.ts";

/** Few, so that a step ends soon after its turn. */
const CHUNKS_PER_STEP = 100;

/**
 * Embeds every chunk of a company with the model in use, next to the served vectors, and switches when all are complete,
 * so that retrieval never stops. A second run continues where the first one ended.
 * @returns false when the turn ended first
 */
export async function reEmbed(job: Job, scope: TenantScope, turn: Turn): Promise<boolean> {
  const modelId = await embeddingModelId(await embedder());
  const total = await scope.transaction((tx) => tx.$count(chunks, eq(chunks.companyId, scope.companyId)));
  let { after, done } = cursorOf(job, modelId);
  for (;;) {
    const batch = await nextChunks(scope, after);
    const last = batch.at(-1);
    if (!last) break;
    if (turn.hasEnded()) return false;
    await embedMissing(
      scope,
      new Map(batch.map(({ ordinal, embeddingText }) => [ordinal, embeddingText])),
      turn.signal,
    );
    after = last.ordinal;
    done += batch.length;
    await keepPayload(job, { reEmbedded: { modelId, after, done } });
    await reportNewProgress(job, Math.min(done, total), total);
  }
  if (!(await growGraph(scope, { turn, modelId }))) return false;
  await switchModel(scope, modelId);
  await deleteOtherVectors(scope, modelId, turn.signal);
  return true;
}

/**
 * Whether the company has vectors of a model that does not serve it. They are left when that model was chosen for a while
 * only; chunks that were added then have no vector of the serving model.
 */
export async function hasOtherVectors(scope: TenantScope): Promise<boolean> {
  const own = sql`from ragstone.embeddings where company_id = ${scope.companyId}`;
  // the smallest and the largest number are each read from an index without a scan
  const [row] = await scope.transaction((tx) =>
    tx.execute<{ others: boolean | null }>(sql`
      select (select min(model_id) ${own}) <> embedding_model_id or (select max(model_id) ${own}) <> embedding_model_id as others
      from ${companies} where id = ${scope.companyId}`),
  );
  return row?.others ?? false;
}

const cursor = z.object({ modelId: z.number(), after: z.number(), done: z.number() });

/** The position at which the last turn ended. */
function cursorOf({ payload }: Job, modelId: number) {
  const { data } = cursor.safeParse(payload.reEmbedded);
  return data?.modelId === modelId ? data : { after: -1, done: 0 };
}

async function nextChunks(scope: TenantScope, after: number) {
  return scope.transaction((tx) =>
    tx
      .select({ ordinal: chunks.ordinal, embeddingText: chunks.embeddingText })
      .from(chunks)
      .where(and(eq(chunks.companyId, scope.companyId), gt(chunks.ordinal, after)))
      .orderBy(chunks.ordinal)
      .limit(CHUNKS_PER_STEP),
  );
}

async function switchModel(scope: TenantScope, modelId: number): Promise<void> {
  await scope.changeContent(async (tx) => {
    await lockSearchIndex(tx, scope.companyId);
    const own = eq(companies.id, scope.companyId);
    // the scores of another model need another calibration, which a run of the test questions measures
    await tx
      .update(companies)
      .set({ scoreCalibration: null, retrievalChangedAt: sql`now()` })
      .where(and(own, sql`${companies.embeddingModelId} is distinct from ${modelId}::int`));
    // a process may have loaded chunks of the same model while they had no vector
    await tx.update(companies).set({ embeddingModelId: modelId, indexGeneration: randomUUID() }).where(own);
  });
}

async function deleteOtherVectors(scope: TenantScope, modelId: number, signal: AbortSignal): Promise<void> {
  let deleted = ROWS_PER_TRANSACTION;
  while (deleted === ROWS_PER_TRANSACTION) {
    signal.throwIfAborted();
    const rows = await scope.transaction((tx) =>
      tx.execute(sql`
        delete from ${embeddings} where company_id = ${scope.companyId} and (model_id, ordinal) in (
          select model_id, ordinal from ${embeddings}
          where company_id = ${scope.companyId} and model_id <> ${modelId} limit ${ROWS_PER_TRANSACTION})
        returning ordinal`),
    );
    deleted = rows.length;
  }
}
