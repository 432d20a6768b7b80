import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { connection, type Transaction } from "../client.ts";
import { setHangLimits } from "../hang-limits.ts";
import { requireRow } from "../require-row.ts";
import { EMBEDDING_PARTITIONS, vectorType } from "../schema/embeddings.ts";
import { companies, embeddingModels } from "../schema/index.ts";
import { simpleQuery } from "../tenant.ts";

/** Companies whose vectors were made by another model. */
export async function companiesOfOtherModels(modelId: number) {
  return connection()
    .db.select({ id: companies.id })
    .from(companies)
    .where(and(isNotNull(companies.embeddingModelId), ne(companies.embeddingModelId, modelId)));
}

interface Model {
  modelId: string;
  dimensions: number;
}

/**
 * Returns the number under which the vectors of a model are stored. Registers a new model, with an empty HNSW index in
 * every partition. Reads the database each time, because a restore can change the numbers while a process runs.
 * @throws when the model made vectors of another length before
 */
export async function embeddingModelId(model: Model): Promise<number> {
  const { db } = connection();
  const known = await findModel(db, model);
  if (known !== null) return known;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('embedding_models', 0)), ${setHangLimits()}`);
    const registered = await findModel(tx, model);
    if (registered !== null) return registered;
    const { modelId: name, dimensions } = model;
    const made = requireRow(await tx.insert(embeddingModels).values({ name, dimensions }).returning());
    // an index over the vectors of other models takes long to create
    await simpleQuery(tx, "set local statement_timeout = 0");
    await createVectorIndexes(tx, made);
    return made.id;
  });
}

async function findModel(db: Pick<Transaction, "select">, { modelId, dimensions }: Model): Promise<number | null> {
  const [known] = await db.select().from(embeddingModels).where(eq(embeddingModels.name, modelId));
  if (known && known.dimensions !== dimensions) {
    throw new Error(
      `${modelId} made vectors of ${known.dimensions} dimensions before, not ${dimensions}. Use another model name, or the same dimensions.`,
    );
  }
  return known?.id ?? null;
}

/**
 * Creates a model's indexes. pgvector indexes `vector` up to 2,000 dimensions and `halfvec` up to 4,000;
 * above that, every search is exact.
 */
export async function createVectorIndexes(
  tx: Transaction,
  { id, dimensions }: { id: number; dimensions: number },
): Promise<void> {
  if (dimensions > 4_000) return;
  const type = vectorType(dimensions);
  for (let part = 0; part < EMBEDDING_PARTITIONS; part++) {
    // Citus takes one such statement in a message
    await simpleQuery(
      tx,
      `create index if not exists embeddings_${part}_model_${id} on ragstone.embeddings_${part}
        using hnsw ((embedding::${type}(${dimensions})) ${type}_ip_ops) where model_id = ${id} and in_graph`,
    );
  }
}
