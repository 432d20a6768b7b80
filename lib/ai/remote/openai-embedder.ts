import type { Env } from "../../env.ts";
import { createEmbedder, type Embedder } from "../embedder.ts";
import { createRemoteEmbeddingModel } from "./openai.ts";
import { type Budget, budgets } from "./resilience.ts";

/** Models with published dimensions; other models are asked for one vector. */
const PUBLISHED_MODELS: Partial<Record<string, { dimensions: number; windowTokens: number }>> = {
  "text-embedding-3-small": { dimensions: 1536, windowTokens: 8191 },
  "text-embedding-3-large": { dimensions: 3072, windowTokens: 8191 },
  "text-embedding-ada-002": { dimensions: 1536, windowTokens: 8191 },
};
/** For a model whose window is unknown. */
const CAUTIOUS_WINDOW_TOKENS = 512;

/**
 * For learning the dimensions. A server may have to load the model first. Long waits before a retry would slow down
 * questions, so the next caller tries again instead.
 */
const DESCRIBING: Budget = { ...budgets.query, attemptMs: 30_000, deadlineMs: 30_000 };

/** Returns a function that learns the dimensions of the model. All its calls share a circuit breaker. */
export function createRemoteEmbedder(openai: NonNullable<Env["openai"]>): () => Promise<Embedder> {
  const { embeddingModel, embeddingDimensions } = openai;
  const published = PUBLISHED_MODELS[embeddingModel];
  const known = embeddingDimensions ?? published?.dimensions ?? null;
  const settings = {
    ...openai,
    model: embeddingModel,
    requestDimensions: embeddingDimensions === published?.dimensions ? null : embeddingDimensions,
    expectedDimensions: known,
  };
  const described = createRemoteEmbeddingModel({ ...settings, budgets: { query: DESCRIBING, ingest: DESCRIBING } });
  return async () => {
    const dimensions = known ?? (await described.doEmbed({ values: ["dimensions"] })).embeddings[0]?.length ?? 0;
    return createEmbedder(createRemoteEmbeddingModel({ ...settings, expectedDimensions: dimensions }), {
      modelId: `${embeddingModel}/${dimensions}`,
      dimensions,
      windowTokens: published?.windowTokens ?? CAUTIOUS_WINDOW_TOKENS,
      local: false,
    });
  };
}
