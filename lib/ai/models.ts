import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { embedMany, rerank } from "ai";
import { type Env, env } from "../env.ts";
import { withTimeout } from "../timeout.ts";
import { createEmbedder, type Embedder } from "./embedder.ts";
import { createLocalEmbeddingModel } from "./local/embedding-model.ts";
import { createExtractiveModel } from "./local/extractive-model.ts";
import { bundledModelDir } from "./local/model-folder.ts";
import { loadTokenizer, type Tokenizer } from "./local/tokenizer.ts";
import { createRemoteAnswerModel, createRemoteEmbeddingModel } from "./remote/openai.ts";
import { ProviderError } from "./remote/provider-error.ts";
import { createRemoteRerankingModel } from "./remote/rerank.ts";

export type { Embedder } from "./embedder.ts";

export interface AnswerModel {
  model: LanguageModelV4;
  /** Needs no provider, so it answers while a remote `model` is unavailable; null when `model` is local itself. */
  fallback: LanguageModelV4 | null;
  modelId: string;
}

export interface RemoteReranker {
  modelId: string;
  /**
   * Returns the relevance of each document, from 0 to 1, in the order given.
   * @throws ProviderError; the caller then keeps its own order
   */
  score(query: string, documents: string[], signal?: AbortSignal): Promise<number[]>;
}

/**
 * Global because a bundle may contain a second copy of this module: a process has one of each model, breaker and cache.
 */
declare global {
  var ragstoneModels: Models | undefined;
}

type Models = ReturnType<typeof createModels>;

/**
 * Returns the embedding model that the environment chooses. Rejects while a remote model of unknown dimensions is
 * unavailable; the next call tries again.
 */
export function embedder(): Promise<Embedder> {
  return models().embedder();
}

/** False too while the model is unavailable. */
export async function isEmbedderLocal(): Promise<boolean> {
  return (await embedder().catch(() => null))?.local ?? false;
}

/**
 * Returns the model whose vectors were made before another was chosen, to search with until the new vectors are
 * complete. Null unless it is the bundled model, because a provider that is no longer configured is not called.
 */
export function formerEmbedder(modelId: string): Promise<Embedder | null> {
  return models().formerEmbedder(modelId);
}

/** Returns the answer model that the environment chooses, with the local one as its fallback. */
export function answerModel(): AnswerModel {
  return models().answerModel();
}

/** Null unless RERANK_BASE_URL is set. */
export function remoteReranker(): RemoteReranker | null {
  return models().remoteReranker();
}

/**
 * Always the tokenizer of the bundled model, so that text lengths are measured the same way for every embedding model.
 */
export function tokenizer(): Promise<Tokenizer> {
  return models().tokenizer();
}

function models(): Models {
  globalThis.ragstoneModels ??= createModels(env());
  return globalThis.ragstoneModels;
}

/** Creates the models of an environment, each on first use. */
export function createModels({ openai, embeddingModelDir, rerank: rerankSettings }: Env) {
  // the SDK writes warnings to standard output, where the command line prints its JSON
  globalThis.AI_SDK_LOG_WARNINGS = false;

  const bundled = once(() => createLocalEmbeddingModel({ modelDir: bundledModelDir() }));
  const remoteEmbedder = once(() => openai && prepareRemoteEmbedder(openai));
  // always the bundled model: the threshold for a supported answer was measured with it
  const extractive = once(() =>
    createExtractiveModel({ embed: (texts, signal) => embedForAnswer(bundled(), texts, signal) }),
  );

  const bundledEmbedder = once(() => describeLocal(bundled()));

  async function makeEmbedder(): Promise<Embedder> {
    const remote = remoteEmbedder();
    if (remote) return remote();
    if (!embeddingModelDir) return bundledEmbedder();
    return describeLocal(createLocalEmbeddingModel({ modelDir: embeddingModelDir }));
  }

  let pending: Promise<Embedder> | undefined;

  return {
    embedder(): Promise<Embedder> {
      pending ??= makeEmbedder().catch((error) => {
        pending = undefined;
        throw error;
      });
      return openai ? withTimeout(pending, dimensionsTimeoutMs, noDimensions) : pending;
    },
    async formerEmbedder(modelId: string): Promise<Embedder | null> {
      // compare the name only: describing the model would load it
      return bundled().modelId === modelId ? bundledEmbedder() : null;
    },
    answerModel: once((): AnswerModel => {
      if (!openai || openai.answerModel === "local") {
        return { model: extractive(), fallback: null, modelId: extractive().modelId };
      }
      const model = createRemoteAnswerModel({ ...openai, model: openai.answerModel });
      return { model, fallback: extractive(), modelId: openai.answerModel };
    }),
    remoteReranker: once(() => rerankSettings && createReranker(rerankSettings)),
    tokenizer: () => loadTokenizer(bundledModelDir()),
  };
}

async function describeLocal(model: ReturnType<typeof createLocalEmbeddingModel>): Promise<Embedder> {
  const { id, ...description } = await model.describe();
  return createEmbedder(model, { ...description, modelId: id, local: true });
}

async function embedForAnswer(
  model: EmbeddingModelV4,
  values: string[],
  abortSignal?: AbortSignal,
): Promise<number[][]> {
  const providerOptions = { ragstone: { priority: "answer" } };
  return (await embedMany({ model, values, abortSignal, providerOptions, maxRetries: 0 })).embeddings;
}

/** Models with published dimensions; other models are asked for one vector. */
const published: Partial<Record<string, { dimensions: number; windowTokens: number }>> = {
  "text-embedding-3-small": { dimensions: 1536, windowTokens: 8191 },
  "text-embedding-3-large": { dimensions: 3072, windowTokens: 8191 },
  "text-embedding-ada-002": { dimensions: 1536, windowTokens: 8191 },
};
const cautiousWindowTokens = 512;

/** How long a request waits to learn the dimensions of a model; the query to the provider continues. */
const dimensionsTimeoutMs = 1_000;

/** Shares one model, and so one circuit breaker, among all attempts to learn its dimensions. */
function prepareRemoteEmbedder(openai: NonNullable<Env["openai"]>): () => Promise<Embedder> {
  const { embeddingModel, embeddingDimensions } = openai;
  const publishedModel = published[embeddingModel];
  const known = embeddingDimensions ?? publishedModel?.dimensions ?? null;
  const model = createRemoteEmbeddingModel({
    ...openai,
    model: embeddingModel,
    requestDimensions: embeddingDimensions === publishedModel?.dimensions ? null : embeddingDimensions,
    expectedDimensions: known,
  });
  return async () => {
    const dimensions = known ?? (await model.doEmbed({ values: ["dimensions"] })).embeddings[0]?.length ?? 0;
    return createEmbedder(model, {
      modelId: `${embeddingModel}/${dimensions}`,
      dimensions,
      windowTokens: publishedModel?.windowTokens ?? cautiousWindowTokens,
      local: false,
    });
  };
}

function noDimensions(): ProviderError {
  return new ProviderError("timeout", "The embedding model timed out while reporting its dimensions");
}

function createReranker(settings: NonNullable<Env["rerank"]>): RemoteReranker {
  const model = createRemoteRerankingModel(settings);
  return {
    modelId: settings.model,
    async score(query, documents, signal) {
      const { ranking } = await rerank({ model, query, documents, maxRetries: 0, abortSignal: signal });
      const scores = new Array<number>(documents.length).fill(0);
      for (const { originalIndex, score } of ranking) scores[originalIndex] = score;
      return scores;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
