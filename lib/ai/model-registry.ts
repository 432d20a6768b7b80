import { registerEmbeddingModel } from "../db/system/models.ts";

const ids = new Map<string, number>();

/** The number under which a model's vectors are stored; registered, with its index, when it is new. */
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
