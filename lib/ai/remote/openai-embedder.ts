import type { Env } from "../../env.ts";
import { createEmbedder, type Embedder } from "../embedder.ts";
import { createRemoteEmbeddingModel } from "./openai.ts";

/** Models with published dimensions; other models are asked for one vector. */
const PUBLISHED_MODELS: Partial<Record<string, { dimensions: number; windowTokens: number }>> = {
  "text-embedding-3-small": { dimensions: 1536, windowTokens: 8191 },
  "text-embedding-3-large": { dimensions: 3072, windowTokens: 8191 },
  "text-embedding-ada-002": { dimensions: 1536, windowTokens: 8191 },
};
/** For a model whose window is unknown. */
const CAUTIOUS_WINDOW_TOKENS = 512;

/** Returns a function that learns the dimensions of the model. All its calls share the model and its circuit breaker. */
export function createRemoteEmbedder(openai: NonNullable<Env["openai"]>): () => Promise<Embedder> {
  const { embeddingModel, embeddingDimensions } = openai;
  const published = PUBLISHED_MODELS[embeddingModel];
  const known = embeddingDimensions ?? published?.dimensions ?? null;
  const model = createRemoteEmbeddingModel({
    ...openai,
    model: embeddingModel,
    requestDimensions: embeddingDimensions === published?.dimensions ? null : embeddingDimensions,
    expectedDimensions: known,
  });
  return async () => {
    const dimensions = known ?? (await model.doEmbed({ values: ["dimensions"] })).embeddings[0]?.length ?? 0;
    return createEmbedder(model, {
      modelId: `${embeddingModel}/${dimensions}`,
      dimensions,
      windowTokens: published?.windowTokens ?? CAUTIOUS_WINDOW_TOKENS,
      local: false,
    });
  };
}
