import { sql } from "drizzle-orm";
import { embeddings } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { countLiveChunks } from "./live-chunks.ts";

/** Up to this size, an exact search is as fast as the index and misses nothing (measured by `npm run bench`). */
export const EXACT_CHUNKS_MAX = 10_000;
/** Inserting a vector into the HNSW graph takes the embedded database ten milliseconds, for which all others wait. */
const VECTORS_PER_STEP = { embedded: 2, server: 16 };

interface Growth {
  turn: { hasEnded(): boolean };
  /** Only the vectors of this model. */
  modelId?: number;
}

/**
 * Puts the vectors of a large company into the HNSW graph. Ingestion does not, because it would take longer for the graph
 * than for all else; until then, a search compares the vectors one by one. Several workers may call it at the same time.
 * @returns false when the turn ended first
 */
export async function growGraph(scope: TenantScope, { turn, modelId }: Growth): Promise<boolean> {
  const { companyId } = scope;
  if ((await scope.transaction((tx) => countLiveChunks(tx, companyId))) <= EXACT_CHUNKS_MAX) return true;
  const step = env().databaseUrl ? VECTORS_PER_STEP.server : VECTORS_PER_STEP.embedded;
  const ofModel = modelId === undefined ? sql`` : sql`and model_id = ${modelId}`;
  for (let moved = step; moved === step; ) {
    if (turn.hasEnded()) return false;
    const rows = await scope.transaction((tx) =>
      tx.execute(sql`
        with next as materialized (
          select model_id, ordinal from ${embeddings} where company_id = ${companyId} ${ofModel} and not in_graph
          order by model_id, ordinal limit ${step} for update skip locked)
        update ${embeddings} set in_graph = true where company_id = ${companyId} and not in_graph
          and (model_id, ordinal) in (select model_id, ordinal from next)
        returning ordinal`),
    );
    moved = rows.length;
  }
  return true;
}
