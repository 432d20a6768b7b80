import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { embed, embedMany } from "ai";
import { LRUCache } from "lru-cache";
import { companyTextKey } from "./company-text-key.ts";
import { fromSteps, inSteps, roundVector, STEPS } from "./round-vector.ts";

/** An embedding model as ingestion and retrieval use it. Its vectors have length 1 and are rounded. */
export interface Embedder {
  /** Stored with every vector: vectors of different models are never compared. */
  modelId: string;
  dimensions: number;
  /** Tokens of a text that the model reads; the rest is cut off. */
  windowTokens: number;
  local: boolean;
  /**
   * Takes priority over ingestion. What one company asked is remembered for that company only.
   * @throws ProviderError when the model is remote and returns no vector; retrieval then continues without vectors
   */
  embedQuery(text: string, from?: QueryOrigin): Promise<Float32Array>;
  /**
   * Returns one vector per text, in the same order.
   * @throws ProviderError when the model is remote and returns no vectors; none of the batch is returned
   */
  embedChunks(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

export interface QueryOrigin {
  companyId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** How long the model may take; missing when there is no limit. */
  timeoutMs?: number | undefined;
}

type Description = Pick<Embedder, "modelId" | "dimensions" | "windowTokens" | "local">;

/** Room for the vectors of about 3,600 questions with 512 dimensions, of all companies. */
const CACHE_BYTES = 5 * 1024 * 1024;
/** What the cache needs for a question beside the numbers of its vector. */
const ENTRY_BYTES = 400;
const PARALLEL_REQUESTS = 3;

/** Wraps an AI SDK model in the two calls that are needed. The model retries by itself, so the SDK does not. */
export function createEmbedder(model: EmbeddingModelV4, description: Description): Embedder {
  // in steps, which take half the memory and lose nothing
  const queries = new LRUCache<string, Int16Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES,
  });
  const call = (priority: "query" | "ingest", abortSignal: AbortSignal | undefined) => ({
    model,
    abortSignal,
    maxRetries: 0,
    maxParallelCalls: PARALLEL_REQUESTS,
    providerOptions: { ragstone: { priority } },
  });

  return {
    ...description,
    async embedQuery(text, { companyId = "", signal, timeoutMs } = {}) {
      const key = companyTextKey(companyId, text);
      const known = queries.get(key);
      if (known) return fromSteps(known, STEPS.question);
      const { embedding } = await embed({ ...call("query", withLimit(signal, timeoutMs)), value: text });
      const steps = inSteps(embedding, STEPS.question);
      queries.set(key, steps);
      return fromSteps(steps, STEPS.question);
    },
    async embedChunks(texts, signal) {
      if (texts.length === 0) return [];
      const { embeddings } = await embedMany({ ...call("ingest", signal), values: texts });
      return embeddings.map((embedding) => roundVector(embedding, STEPS.chunk));
    },
  };
}

/** The signal, aborted after the time at the latest. */
function withLimit(signal: AbortSignal | undefined, ms: number | undefined): AbortSignal | undefined {
  if (ms === undefined) return signal;
  const timeout = AbortSignal.timeout(Math.ceil(ms));
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}
