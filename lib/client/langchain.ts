import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { Ragstone } from "./client.ts";
import type { RetrieveFilters, RetrieveRequest } from "./types.ts";

/** How `RagstoneRetriever` searches. `metadata` and `tags` are LangChain's own, for tracing. */
export interface RagstoneRetrieverOptions extends BaseRetrieverInput {
  client: Pick<Ragstone, "retrieve">;
  filters?: RetrieveFilters;
  limit?: number;
  scoreThreshold?: number;
  useRerank?: boolean;
  /** LangChain does not pass the signal of `invoke` on, so this alone limits a search. */
  timeoutMs?: number;
}

/** A LangChain retriever. Each document has the chunk's text, and its source, title, score and labels as metadata. */
export class RagstoneRetriever extends BaseRetriever {
  override lc_namespace = ["ragstone", "retrievers"];
  readonly #client: Pick<Ragstone, "retrieve">;
  readonly #search: Omit<RetrieveRequest, "queryText">;
  readonly #timeoutMs: number | undefined;

  static override lc_name(): string {
    return "RagstoneRetriever";
  }

  constructor({ client, filters, limit, scoreThreshold, useRerank, timeoutMs, ...input }: RagstoneRetrieverOptions) {
    super(input);
    this.#client = client;
    this.#search = { filters, limit, scoreThreshold, useRerank };
    this.#timeoutMs = timeoutMs;
  }

  override async _getRelevantDocuments(queryText: string): Promise<Document[]> {
    const { results } = await this.#client.retrieve({ queryText, ...this.#search }, { timeoutMs: this.#timeoutMs });
    return results.map(({ id, score, payload: { content, metadata, ...payload } }) => {
      const source = typeof metadata.url === "string" ? metadata.url : payload.sourceId;
      return new Document({ id, pageContent: content, metadata: { ...metadata, ...payload, source, score } });
    });
  }
}
