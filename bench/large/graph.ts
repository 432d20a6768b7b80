import { sql } from "drizzle-orm";
import { connection } from "../../lib/db/client.ts";
import { EMBEDDING_PARTITIONS } from "../../lib/db/schema/embeddings.ts";
import { createVectorIndexes } from "../../lib/db/system/models.ts";
import type { CompanyId } from "../../lib/db/tenant.ts";

const BUILD = ["maintenance_work_mem = '4GB'", "max_parallel_maintenance_workers = 2", "statement_timeout = 0"];

interface Filled {
  companyId: CompanyId;
  model: { id: number; dimensions: number };
}

/**
 * Runs `load` without the HNSW index of the company's partition, which is built from all vectors at the end.
 * @returns milliseconds
 */
export async function withoutGraph({ companyId, model }: Filled, load: () => Promise<void>) {
  const { db } = connection();
  await db.execute(sql.raw(`drop index if exists ragstone.embeddings_${await partOf(companyId)}_model_${model.id}`));
  const started = performance.now();
  await load();
  const loaded = performance.now();
  console.error("building the HNSW indexes");
  await db.transaction(async (tx) => {
    for (const setting of BUILD) await tx.execute(sql.raw(`set local ${setting}`));
    await createVectorIndexes(tx, model);
  });
  const built = performance.now();
  for (const table of ["sources", "source_versions", "chunks", "version_chunks", "embeddings", "lexical_postings"]) {
    await db.execute(sql.raw(`vacuum (analyze) ragstone.${table}`));
  }
  return { loadMs: loaded - started, indexMs: built - loaded };
}

async function partOf(companyId: CompanyId): Promise<number> {
  const [row] = await connection().db.execute<{ part: number }>(sql`
    select part from generate_series(0, ${EMBEDDING_PARTITIONS - 1}::int) as part
    where satisfies_hash_partition('ragstone.embeddings'::regclass, ${EMBEDDING_PARTITIONS}::int, part, ${companyId}::uuid)`);
  if (!row) throw new Error("the company has no partition");
  return row.part;
}
