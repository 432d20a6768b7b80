import { and, eq, gt, sql } from "drizzle-orm";
import { embeddingModelId } from "../ai/model-registry.ts";
import { embedder } from "../ai/models.ts";
import { chunks, companies, embeddings } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { type Job, reportProgress } from "../jobs/queue.ts";
import { workScope } from "../jobs/work-scope.ts";
import { ROWS_PER_TRANSACTION } from "./index-chunks.ts";
import { embedTexts } from "./ingest.ts";
import { lockCompany } from "./live.ts";

/**
 * Embeds every chunk of a company by the model in use, beside the vectors that serve, and switches when none is
 * missing: retrieval never stops. A second run goes on where the first one ended.
 */
export async function reEmbed(job: Job, signal: AbortSignal): Promise<void> {
  const scope = workScope(job.companyId);
  const modelId = await embeddingModelId(await embedder());
  let total = await scope.transaction((tx) => tx.$count(chunks, eq(chunks.companyId, scope.companyId)));
  let done = 0;
  let after = -1;
  for (;;) {
    signal.throwIfAborted();
    const batch = await nextChunks(scope, after);
    const last = batch.at(-1);
    if (!last) break;
    await embedTexts(scope, new Map(batch.map(({ ordinal, embeddingText }) => [ordinal, embeddingText])), signal);
    after = last.ordinal;
    done += batch.length;
    total = Math.max(total, done);
    if (job.leaseToken) await reportProgress(job.id, job.leaseToken, done, total);
  }
  await switchModel(scope, modelId);
  await deleteOtherVectors(scope, modelId, signal);
}

async function nextChunks(scope: TenantScope, after: number) {
  return scope.transaction((tx) =>
    tx
      .select({ ordinal: chunks.ordinal, embeddingText: chunks.embeddingText })
      .from(chunks)
      .where(and(eq(chunks.companyId, scope.companyId), gt(chunks.ordinal, after)))
      .orderBy(chunks.ordinal)
      .limit(ROWS_PER_TRANSACTION),
  );
}

async function switchModel(scope: TenantScope, modelId: number): Promise<void> {
  await scope.transaction(async (tx) => {
    await lockCompany(tx, scope.companyId);
    await tx.update(companies).set({ embeddingModelId: modelId }).where(eq(companies.id, scope.companyId));
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
