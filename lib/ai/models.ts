import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { embedMany } from "ai";
import { type Env, env } from "../env.ts";
import { once, onceFulfilled } from "../once.ts";
import { singleton } from "../singleton.ts";
import { withTimeout } from "../timeout.ts";
import type { Embedder } from "./embedder.ts";
import { bundledModelDir } from "./local/bundled-model.ts";
import { createCrossEncoder } from "./local/cross-encoder.ts";
import { createLocalEmbeddingModel } from "./local/embedding-model.ts";
import type { Embed } from "./local/evidence.ts";
import { createExtractiveModel } from "./local/extractive-model.ts";
import { loadLocalEmbedder } from "./local/local-embedder.ts";
import { loadTokenizer, type Tokenizer } from "./local/tokenizer.ts";
import { cachedByCompany } from "./local/vector-cache.ts";
import { type AnswerModel, chooseAnswerModel, chooseEmbeddingProvider, chooseReranker } from "./providers.ts";
import { ProviderError } from "./remote/provider-error.ts";
import type { Reranker } from "./reranker.ts";

export type { Embedder } from "./embedder.ts";

type Models = ReturnType<typeof createModels>;

/** A process has one of each model, breaker and cache. */
export const RUNNING_MODELS = singleton<Models>("models", () => createModels(env()));

/**
 * Returns the embedding model that the environment chooses. Rejects while a remote model of unknown dimensions is
 * unavailable; the next call tries again.
 */
export function embedder(): Promise<Embedder> {
  return RUNNING_MODELS.get().embedder();
}

/** Whether the chosen embedding model runs in this process. Loads nothing. */
export function isEmbedderLocal(): boolean {
  return RUNNING_MODELS.get().isEmbedderLocal();
}

/**
 * Returns the model whose vectors were made before another was chosen, to search with until the new vectors are
 * complete. Null unless it is the bundled model, because a provider that is no longer configured is not called.
 */
export function formerEmbedder(modelId: string): Promise<Embedder | null> {
  return RUNNING_MODELS.get().formerEmbedder(modelId);
}

/** Returns vectors of the bundled model for texts that a request waits for, of length 1 and in the same order. */
export function embedTexts(texts: string[], signal?: AbortSignal): Promise<number[][]> {
  return RUNNING_MODELS.get().embedTexts(texts, signal);
}

/** As `embedTexts`, with the vectors of the company cached. */
export function embedFor(companyId: string): Embed {
  return RUNNING_MODELS.get().embedFor(companyId);
}

/** Returns the answer model that the environment chooses, with the local one as its fallback. */
export function answerModel(): AnswerModel {
  return RUNNING_MODELS.get().answerModel();
}

/**
 * Null unless RERANK_BASE_URL or RERANK_MODEL_DIR is set.
 * @throws LocalModelError when RERANK_MODEL_DIR contains no model
 */
export function rerankModel(): Reranker | null {
  return RUNNING_MODELS.get().rerankModel();
}

/**
 * Always the tokenizer of the bundled model, so that text lengths are measured the same way for every embedding model.
 */
export function tokenizer(): Promise<Tokenizer> {
  return RUNNING_MODELS.get().tokenizer();
}

/** Creates the models of an environment, each on first use. */
export function createModels(env: Env) {
  // the SDK writes warnings to standard output, where the command line prints its JSON
  globalThis.AI_SDK_LOG_WARNINGS = false;

  const bundledTokenizer = () => loadTokenizer(bundledModelDir());
  const local = once(() => createLocalEmbeddingModel({ modelDir: bundledModelDir() }));
  const embedTexts: Embed = async (texts, signal) => {
    const [vectors, { canRead }] = await Promise.all([embedForRequest(local(), texts, signal), bundledTokenizer()]);
    // texts that the vocabulary lacks have nearly the same vector, whatever they say
    return vectors.map((vector, index) => (canRead(texts[index] ?? "") ? vector : vector.map(() => 0)));
  };
  const embedFor = cachedByCompany(embedTexts);
  const bundled = {
    loadEmbedder: onceFulfilled(() => loadLocalEmbedder(local())),
    // always the bundled model: the threshold for a supported answer was measured with it
    extractive: once(() => createExtractiveModel({ embedFor })),
    crossEncoder: (modelDir: string) => createCrossEncoder({ modelDir, queue: local().queue }),
  };
  const embeddingProvider = once(() => chooseEmbeddingProvider(env, bundled));
  const loadChosen = onceFulfilled(() => embeddingProvider().load());

  return {
    embedder(): Promise<Embedder> {
      const { waitMs } = embeddingProvider();
      return waitMs === null ? loadChosen() : withTimeout(loadChosen(), waitMs, noDimensions);
    },
    isEmbedderLocal: () => embeddingProvider().local,
    async formerEmbedder(modelId: string): Promise<Embedder | null> {
      // compare the name only: describing the model would load it
      return local().modelId === modelId ? bundled.loadEmbedder() : null;
    },
    answerModel: once(() => chooseAnswerModel(env, bundled)),
    embedTexts,
    embedFor,
    rerankModel: once(() => chooseReranker(env, bundled)),
    tokenizer: bundledTokenizer,
  };
}

async function embedForRequest(
  model: EmbeddingModelV4,
  values: string[],
  abortSignal?: AbortSignal,
): Promise<number[][]> {
  const providerOptions = { ragstone: { priority: "answer" } };
  return (await embedMany({ model, values, abortSignal, providerOptions, maxRetries: 0 })).embeddings;
}

function noDimensions(): ProviderError {
  return new ProviderError("timeout", "The embedding model timed out while reporting its dimensions");
}
