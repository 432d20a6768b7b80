import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Env } from "../env.ts";
import type { Embedder } from "./embedder.ts";
import { createLocalEmbeddingModel } from "./local/embedding-model.ts";
import { loadLocalEmbedder } from "./local/local-embedder.ts";
import { createRemoteAnswerModel } from "./remote/openai.ts";
import { createRemoteEmbedder } from "./remote/openai-embedder.ts";
import { createRemoteReranker } from "./remote/rerank.ts";
import type { Reranker } from "./reranker.ts";

/** The models that come with Ragstone, each created on first use. */
interface BundledModels {
  loadEmbedder(): Promise<Embedder>;
  extractive(): LanguageModelV4;
  /** A cross-encoder of a folder, in the thread of the bundled embedding model. */
  crossEncoder(modelDir: string): Reranker;
}

interface EmbeddingProvider {
  /** Called again after it rejected. */
  load(): Promise<Embedder>;
  /** How long a request waits for `load`, which continues after that; null: until it is done. */
  waitMs: number | null;
  /** Whether the model runs in this process. */
  local: boolean;
}

export interface AnswerModel {
  model: LanguageModelV4;
  /** Needs no provider, so it answers while a remote `model` is unavailable; null when `model` is local itself. */
  fallback: LanguageModelV4 | null;
  modelId: string;
}

/** Creates a model if the environment has the settings of its provider. */
type Provider<Model> = (env: Env, bundled: BundledModels) => Model | null;

/** How long a request waits to learn the dimensions of a remote model. */
const DIMENSIONS_TIMEOUT_MS = 1_000;

/*
 * The registry: one entry per provider, with its settings in the environment and how it is created from them. The first
 * entry that has its settings is used.
 */

const EMBEDDING_PROVIDERS: Provider<EmbeddingProvider>[] = [
  entry(
    ({ openai }) => openai,
    (openai) => ({ load: createRemoteEmbedder(openai), waitMs: DIMENSIONS_TIMEOUT_MS, local: false }),
  ),
  entry(
    ({ embeddingModelDir }) => embeddingModelDir,
    (modelDir) => ({
      load: async () => loadLocalEmbedder(createLocalEmbeddingModel({ modelDir })),
      waitMs: null,
      local: true,
    }),
  ),
];

const ANSWER_PROVIDERS: Provider<AnswerModel>[] = [
  entry(
    ({ openai }) => (openai?.answerModel === "local" ? null : openai),
    (openai, { extractive }) => {
      const model = createRemoteAnswerModel({ ...openai, model: openai.answerModel });
      return { model, fallback: extractive(), modelId: openai.answerModel };
    },
  ),
];

const RERANK_PROVIDERS: Provider<Reranker>[] = [
  entry(({ rerank }) => rerank, createRemoteReranker),
  entry(
    ({ rerankModelDir }) => rerankModelDir,
    (modelDir, { crossEncoder }) => crossEncoder(modelDir),
  ),
];

/** The provider of embeddings that the environment chooses, else the bundled model. */
export function chooseEmbeddingProvider(env: Env, bundled: BundledModels): EmbeddingProvider {
  return firstOf(EMBEDDING_PROVIDERS, env, bundled) ?? { load: bundled.loadEmbedder, waitMs: null, local: true };
}

/** The answer model that the environment chooses, else the extractive one. */
export function chooseAnswerModel(env: Env, bundled: BundledModels): AnswerModel {
  const chosen = firstOf(ANSWER_PROVIDERS, env, bundled);
  if (chosen) return chosen;
  const model = bundled.extractive();
  return { model, fallback: null, modelId: model.modelId };
}

/** The reranker that the environment chooses, else null: retrieval then reranks by the words of the question. */
export function chooseReranker(env: Env, bundled: BundledModels): Reranker | null {
  return firstOf(RERANK_PROVIDERS, env, bundled);
}

function entry<Settings, Model>(
  settingsOf: (env: Env) => Settings | null,
  create: (settings: Settings, bundled: BundledModels) => Model,
): Provider<Model> {
  return (env, bundled) => {
    const settings = settingsOf(env);
    return settings === null ? null : create(settings, bundled);
  };
}

function firstOf<Model>(providers: Provider<Model>[], env: Env, bundled: BundledModels): Model | null {
  for (const provider of providers) {
    const model = provider(env, bundled);
    if (model !== null) return model;
  }
  return null;
}
