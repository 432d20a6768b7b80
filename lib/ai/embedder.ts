import { createHash } from "node:crypto";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { embed, embedMany } from "ai";
import { LRUCache } from "lru-cache";

/** An embedding model as ingestion and retrieval use it. Vectors have length 1; do not change them, they are shared. */
export interface Embedder {
  /** Stored with every vector: vectors of two ids are never compared. */
  modelId: string;
  dimensions: number;
  /** Tokens that the model reads of a text. */
  windowTokens: number;
  local: boolean;
  /**
   * Goes before any ingestion.
   * @throws ProviderError when the model is remote and gives no vector; retrieval then goes on without one
   */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /**
   * One vector a text, in the same order.
   * @throws ProviderError when the model is remote and gives no vectors; none of the batch is returned
   */
  embedChunks(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

type Description = Pick<Embedder, "modelId" | "dimensions" | "windowTokens" | "local">;

const cachedQueries = 1_000;
const parallelRequests = 3;

/** Puts a model of the AI SDK behind the two verbs that are needed. Retries belong to the model, so the SDK does none. */
export function createEmbedder(model: EmbeddingModelV4, description: Description): Embedder {
  const queries = new LRUCache<string, Float32Array>({ max: cachedQueries });
  const call = (priority: "query" | "ingest", abortSignal: AbortSignal | undefined) => ({
    model,
    abortSignal,
    maxRetries: 0,
    maxParallelCalls: parallelRequests,
    providerOptions: { ragstone: { priority } },
  });

  return {
    ...description,
    async embedQuery(text, signal) {
      const key = createHash("sha256").update(text).digest("base64");
      const known = queries.get(key);
      if (known) return known;
      const { embedding } = await embed({ ...call("query", signal), value: text });
      const vector = Float32Array.from(embedding);
      queries.set(key, vector);
      return vector;
    },
    async embedChunks(texts, signal) {
      if (texts.length === 0) return [];
      const { embeddings } = await embedMany({ ...call("ingest", signal), values: texts });
      return embeddings.map((embedding) => Float32Array.from(embedding));
    },
  };
}
