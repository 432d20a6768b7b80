import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { connection } from "../client.ts";
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

/** Returns the number of an embedding model. A new model gets an empty HNSW index in every partition. */
export async function registerEmbeddingModel(name: string, dimensions: number): Promise<number> {
  return connection().db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('embedding_models', 0))`);
    const [known] = await tx.select().from(embeddingModels).where(eq(embeddingModels.name, name));
    if (known && known.dimensions !== dimensions) {
      throw new Error(
        `${name} made vectors of ${known.dimensions} dimensions before, not ${dimensions}. Use another model name, or the same dimensions.`,
      );
    }
    if (known) return known.id;
    const [made] = await tx.insert(embeddingModels).values({ name, dimensions }).returning();
    if (!made) throw new Error("insert returned no row");
    await simpleQuery(tx, vectorIndexes(made));
    return made.id;
  });
}

/**
 * Statements that create a model's indexes. pgvector indexes `vector` up to 2,000 dimensions and `halfvec` up to 4,000;
 * above that, every search is exact.
 */
export function vectorIndexes({ id, dimensions }: { id: number; dimensions: number }): string {
  if (dimensions > 4_000) return "";
  const type = vectorType(dimensions);
  return Array.from(
    { length: EMBEDDING_PARTITIONS },
    (_, part) =>
      `create index if not exists embeddings_${part}_model_${id} on ragstone.embeddings_${part}
         using hnsw ((embedding::${type}(${dimensions})) ${type}_ip_ops) where model_id = ${id};`,
  ).join("\n");
}
