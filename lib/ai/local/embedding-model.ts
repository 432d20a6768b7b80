import type { EmbeddingModelV4, EmbeddingModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider";
import { createEmbedQueue, type EmbedPriority, type EmbedQueue } from "./embed-queue.ts";
import { openModelFolder } from "./model-folder.ts";
import { orAborted } from "./or-aborted.ts";
import { loadTokenizer } from "./tokenizer.ts";

interface LocalModelDescription {
  id: string;
  dimensions: number;
  /** Tokens of a text that are read, including the special tokens; the rest is cut off. */
  windowTokens: number;
}

export interface LocalEmbeddingModel extends EmbeddingModelV4 {
  /** Starts the model to learn its dimensions. */
  describe(): Promise<LocalModelDescription>;
  /** The queue of its thread, which a cross-encoder shares. */
  readonly queue: EmbedQueue;
  /** Ends the inference thread. Calls under way are rejected; a later call starts the thread again. */
  close(): Promise<void>;
}

/**
 * Small enough that tokenizing does not block the event loop for long, and that an aborted call leaves little work
 * behind.
 */
const VALUES_PER_CALL = 32;

/**
 * A sentence-transformers model in a thread of this process, behind the AI SDK's interface. Vectors have length 1, and
 * the vector of a text depends only on the text.
 * `providerOptions: { ragstone: { priority } }` says which texts go first, see `EmbedPriority`.
 * @param options.threads CPU threads for one text
 * @throws LocalModelError when the folder has no model; calls reject with it when the model cannot run
 */
export function createLocalEmbeddingModel(options: { modelDir: string; threads?: number }): LocalEmbeddingModel {
  const { id, dir, graph, pooling, windowTokens } = openModelFolder(options.modelDir);
  const queue = createEmbedQueue({ graph, pooling, threads: options.threads ?? 1 }, dir);

  async function doEmbed({ values, dimensions, abortSignal, providerOptions }: EmbeddingModelV4CallOptions) {
    const tokenizer = await loadTokenizer(dir);
    abortSignal?.throwIfAborted();
    const texts = values.map((value) => tokenizer.encode(value, windowTokens));
    const priority = priorityOf(providerOptions?.ragstone?.priority);
    const vectors = Promise.all(texts.map((ids) => queue.embed(ids, { priority, signal: abortSignal })));
    return {
      embeddings: (await orAborted(vectors, abortSignal)).map((vector) => Array.from(vector)),
      usage: { tokens: texts.reduce((sum, ids) => sum + ids.length, 0) },
      warnings:
        dimensions === undefined ? [] : [{ type: "unsupported", feature: "dimensions" } satisfies SharedV4Warning],
    };
  }

  return {
    specificationVersion: "v4",
    provider: "local",
    modelId: id,
    maxEmbeddingsPerCall: VALUES_PER_CALL,
    supportsParallelCalls: true,
    doEmbed,
    async describe() {
      const { embeddings } = await doEmbed({ values: [""], providerOptions: { ragstone: { priority: "query" } } });
      return { id, dimensions: embeddings[0]?.length ?? 0, windowTokens };
    },
    queue,
    close: queue.close,
  };
}

function priorityOf(given: unknown): EmbedPriority {
  return given === "query" || given === "answer" ? given : "ingest";
}
