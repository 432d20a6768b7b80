import { createEmbedder, type Embedder } from "../embedder.ts";
import type { LocalEmbeddingModel } from "./embedding-model.ts";

/** Starts a local model to learn its dimensions. */
export async function loadLocalEmbedder(model: LocalEmbeddingModel): Promise<Embedder> {
  const { id, ...description } = await model.describe();
  return createEmbedder(model, { ...description, modelId: id, local: true });
}
