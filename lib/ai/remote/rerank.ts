import type { RerankingModelV4 } from "@ai-sdk/provider";
import { rerank } from "ai";
import { z } from "zod";
import { counted } from "../../counted.ts";
import type { Reranker } from "../reranker.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { ProviderError } from "./provider-error.ts";
import { type Budget, budgets, createResilience } from "./resilience.ts";

interface RerankSettings {
  /** The server's base URL, without the version: `https://api.cohere.com`. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  budget?: Budget;
}

const Answer = z.object({
  results: z.array(z.object({ index: z.int().nonnegative(), relevance_score: z.number() })),
});

/**
 * A cross-encoder behind Cohere's `POST /v2/rerank`. Relevance scores are clipped to 0..1, best first.
 * @throws ProviderError
 */
export function createRemoteRerankingModel({
  baseUrl,
  apiKey,
  model,
  budget = budgets.rerank,
}: RerankSettings): RerankingModelV4 {
  const resilience = createResilience(budget);
  const guarded = guardedFetch(budget);
  const url = `${baseUrl.replace(/\/v2$/, "")}/v2/rerank`;
  const headers = { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };

  return {
    specificationVersion: "v4",
    provider: "cohere.reranking",
    modelId: model,
    doRerank: ({ query, documents, topN, abortSignal }) =>
      resilience.run(async (signal) => {
        const texts =
          documents.type === "text" ? documents.values : documents.values.map((value) => JSON.stringify(value));
        const wanted = topN ?? texts.length;
        const body = JSON.stringify({ model, query, documents: texts, top_n: wanted });
        const response = await guarded(url, { method: "POST", headers, body, signal });
        const { results } = Answer.parse(await response.json());
        const indexes = new Set(results.map(({ index }) => index).filter((index) => index < texts.length));
        if (results.length !== wanted || indexes.size !== wanted) {
          throw new ProviderError("invalid", `The reranker judged ${indexes.size} of ${counted(wanted, "document")}`);
        }
        const ranking = results.map(({ index, relevance_score }) => ({
          index,
          relevanceScore: Math.min(1, Math.max(0, relevance_score)),
        }));
        return { ranking: ranking.sort((a, b) => b.relevanceScore - a.relevanceScore || a.index - b.index) };
      }, abortSignal),
  };
}

/** A reranker that scores every document, behind Cohere's API. */
export function createRemoteReranker(settings: RerankSettings): Reranker {
  const model = createRemoteRerankingModel(settings);
  return {
    modelId: settings.model,
    isRemote: true,
    async score(query, documents, signal) {
      const { ranking } = await rerank({ model, query, documents, maxRetries: 0, abortSignal: signal });
      const scores = new Array<number>(documents.length).fill(0);
      for (const { originalIndex, score } of ranking) scores[originalIndex] = score;
      return scores;
    },
  };
}
