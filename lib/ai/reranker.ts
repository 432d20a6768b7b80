/** A model that reads a question and a document together. */
export interface Reranker {
  modelId: string;
  /** Whether questions and documents are sent to a provider. */
  isRemote: boolean;
  /**
   * Returns the relevance of the documents, from 0 to 1, in the order given. A local model scores only the first
   * documents when all of them would take too long.
   * @throws ProviderError or LocalModelError; the caller then keeps its own order
   */
  score(query: string, documents: string[], signal?: AbortSignal): Promise<number[]>;
}
