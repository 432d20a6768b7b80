/** The folder contains no usable model; the message tells the operator what to do. */
export class LocalModelError extends Error {
  override name = "LocalModelError";
}

/** What a model of a folder is for. */
export type ModelUse = "embedding" | "reranking";

const VARIABLES = { embedding: "EMBEDDING_MODEL_DIR", reranking: "RERANK_MODEL_DIR" } satisfies Record<
  ModelUse,
  string
>;

/** An error in one line: the folder, what is wrong and what is expected. */
export function unusableModelError(
  dir: string,
  reason: string,
  { use = "embedding", cause }: { use?: ModelUse; cause?: unknown } = {},
): LocalModelError {
  return new LocalModelError(
    `${dir} is not a usable ${use} model: ${reason}. Expected: model.onnx and tokenizer.json, as sentence-transformers exports them (${VARIABLES[use]}).`,
    { cause },
  );
}
