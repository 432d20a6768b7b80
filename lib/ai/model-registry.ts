import { registerEmbeddingModel } from "../db/system/models.ts";

const ids = new Map<string, number>();

/** Returns the number under which a model's vectors are stored. Registers a new model and creates its index. */
export async function embeddingModelId({
  modelId,
  dimensions,
}: {
  modelId: string;
  dimensions: number;
}): Promise<number> {
  const known = ids.get(modelId);
  if (known !== undefined) return known;
  const id = await registerEmbeddingModel(modelId, dimensions);
  ids.set(modelId, id);
  return id;
}
