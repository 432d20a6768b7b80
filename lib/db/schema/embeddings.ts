import { sql } from "drizzle-orm";
import { boolean, index, integer, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { anyVector, companyId, createdAt, ragstone } from "./columns.ts";

/** Number of partitions that the migration creates. */
export const EMBEDDING_PARTITIONS = 8;

/** The column type that pgvector can index: `vector` up to 2,000 dimensions. */
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

/** Hash-partitioned by company; each partition has one HNSW index per model, of the vectors that are in its graph. */
export const embeddings = ragstone.table(
  "embeddings",
  {
    companyId: companyId(),
    modelId: integer("model_id").notNull(),
    ordinal: integer("ordinal").notNull(),
    embedding: anyVector("embedding").notNull(),
    /** False for new vectors and those of small companies, which an exact search finds as fast. */
    inGraph: boolean("in_graph").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.modelId, table.ordinal] }),
    // the vectors that a search by HNSW index compares one by one
    index("embeddings_outside_graph")
      .on(table.companyId, table.modelId, table.ordinal)
      .where(sql`not ${table.inGraph}`),
  ],
);
