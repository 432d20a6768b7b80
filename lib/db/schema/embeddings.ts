import { integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { anyVector, companyId, createdAt, ragstone } from "./columns.ts";

/** As many as the migration makes. */
export const EMBEDDING_PARTITIONS = 8;

/** What pgvector can index: `vector` up to 2,000 dimensions. */
export function vectorType(dimensions: number): "vector" | "halfvec" {
  return dimensions > 2_000 ? "halfvec" : "vector";
}

export const embeddingModels = ragstone.table(
  "embedding_models",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    dimensions: integer("dimensions").notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex("embedding_models_name").on(table.name)],
);

/** Hash-partitioned by company; every model has an HNSW index of its own in each partition. */
export const embeddings = ragstone.table(
  "embeddings",
  {
    companyId: companyId(),
    modelId: integer("model_id").notNull(),
    ordinal: integer("ordinal").notNull(),
    embedding: anyVector("embedding").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.modelId, table.ordinal] })],
);
