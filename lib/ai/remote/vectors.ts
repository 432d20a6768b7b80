import type { EmbeddingModelV4CallOptions } from "@ai-sdk/provider";
import { ProviderError } from "./provider-error.ts";

/** Which budget a call uses: "query" when a person waits, else "ingest". */
export function priorityOf(params: EmbeddingModelV4CallOptions): "query" | "ingest" {
  return params.providerOptions?.ragstone?.priority === "query" ? "query" : "ingest";
}

/**
 * Checks what a provider sent for `count` texts.
 * @param dimensions of every vector; null: those of the first one
 * @throws ProviderError
 */
export function requireShape(embeddings: number[][], count: number, dimensions: number | null): void {
  if (embeddings.length !== count) {
    throw new ProviderError("invalid", `The provider sent ${embeddings.length} vectors for ${count} texts`);
  }
  const length = dimensions ?? embeddings[0]?.length ?? 0;
  const other = embeddings.find((vector) => vector.length !== length);
  if (other === undefined && length > 0) return;
  throw new ProviderError(
    "invalid",
    `The provider sent a vector of ${other?.length ?? 0} dimensions where ${length} are expected: check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS`,
  );
}

/** Scales a vector to length 1, so that the inner product is the cosine. @throws ProviderError */
export function unitVector(vector: number[]): number[] {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(norm) || norm === 0) {
    throw new ProviderError("invalid", "The provider sent a vector that is zero or not finite");
  }
  return vector.map((value) => value / norm);
}
