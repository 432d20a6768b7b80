import "./empty-is-unset.ts";
import { createOpenAI } from "@ai-sdk/openai";
import type {
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
  LanguageModelV4,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { extractReasoningMiddleware, type LanguageModelMiddleware, wrapEmbeddingModel, wrapLanguageModel } from "ai";
import { z } from "zod";
import { guardedFetch } from "./guarded-fetch.ts";
import { ProviderError } from "./provider-error.ts";
import { asProviderError, type Budget, budgets, createResilience } from "./resilience.ts";
import { priorityOf, requireShape, unitVector } from "./vectors.ts";

interface Provider {
  /** Servers on the operator's network often need no key; the API has no way to send an empty one. */
  apiKey: string | null;
  /** Includes the version: `https://api.openai.com/v1`. */
  baseUrl: string;
}

interface EmbeddingSettings extends Provider {
  model: string;
  /** Sent with every request; null requests the model's default. */
  requestDimensions: number | null;
  /** Dimensions that every vector must have; null takes those of the first response. */
  expectedDimensions: number | null;
  budgets?: { query: Budget; ingest: Budget };
}

/** Many servers take far fewer inputs in one request than OpenAI's 2,048. */
const TEXTS_PER_REQUEST = 64;

/**
 * Embeddings by OpenAI or a compatible API. `providerOptions.ragstone.priority` chooses the budget: "query" when a
 * person waits, else "ingest". Vectors come in the order of the texts, all of one length, finite, scaled to unit
 * length.
 * @throws ProviderError
 */
export function createRemoteEmbeddingModel(settings: EmbeddingSettings): EmbeddingModelV4 {
  const { query = budgets.query, ingest = budgets.ingest } = settings.budgets ?? {};
  const lanes = { query: embeddingLane(settings, query), ingest: embeddingLane(settings, ingest) };
  let expected = settings.expectedDimensions;

  async function embed(model: EmbeddingModelV4, params: EmbeddingModelV4CallOptions) {
    const result = await model.doEmbed({ ...params, dimensions: settings.requestDimensions ?? undefined });
    const ordered = inInputOrder(result.embeddings, result.response?.body);
    requireShape(ordered, params.values.length, expected);
    const embeddings = ordered.map(unitVector);
    expected ??= embeddings[0]?.length ?? null;
    return { ...result, embeddings, response: undefined };
  }

  return wrapEmbeddingModel({
    model: lanes.ingest.model,
    middleware: {
      specificationVersion: "v4",
      overrideMaxEmbeddingsPerCall: () => TEXTS_PER_REQUEST,
      wrapEmbed({ params }) {
        const { model, resilience } = lanes[priorityOf(params)];
        return resilience.run((abortSignal) => embed(model, { ...params, abortSignal }), params.abortSignal);
      },
    },
  });
}

/** Each budget has its own size limit and circuit breaker: failing ingestion must not block queries. */
function embeddingLane(settings: EmbeddingSettings, budget: Budget) {
  const model = connect(settings, budget).embedding(settings.model);
  return { model, resilience: createResilience(budget) };
}

const Indexed = z.object({ data: z.array(z.object({ index: z.int() })) });

/** The API numbers the vectors and promises no order; without numbers, the order is kept. */
function inInputOrder(embeddings: number[][], body: unknown): number[][] {
  const indexed = Indexed.safeParse(body);
  if (!indexed.success) return embeddings;
  const places = indexed.data.data.map(({ index }) => index);
  const ordered = embeddings
    .map((_, place) => embeddings[places.indexOf(place)])
    .filter((vector) => vector !== undefined);
  if (ordered.length !== embeddings.length)
    throw new ProviderError("invalid", "The provider numbered its vectors incorrectly");
  return ordered;
}

/** A model that sends its answer as a stream may take this long. */
const STREAM_MS_MAX = 60_000;

/**
 * Answers by chat completions, the part of OpenAI's API that every compatible server has.
 * @throws ProviderError, including for an answer without text
 */
export function createRemoteAnswerModel(settings: Provider & { model: string; budget?: Budget }): LanguageModelV4 {
  const budget = settings.budget ?? budgets.answer;
  const resilience = createResilience(budget);
  const guarded: LanguageModelMiddleware = {
    specificationVersion: "v4",
    wrapGenerate: ({ model, params }) =>
      resilience.run(async (abortSignal) => {
        const result = await model.doGenerate({ ...params, abortSignal });
        const hasText = result.content.some((part) => part.type === "text" && part.text.trim() !== "");
        if (!hasText) throw new ProviderError("invalid", "The provider sent an answer without text");
        return result;
      }, params.abortSignal),
    async wrapStream({ model, params }) {
      const caller = params.abortSignal;
      const begin = async (attempt: AbortSignal) => {
        const { signal, release } = releasable(attempt);
        const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(STREAM_MS_MAX), ...(caller ? [caller] : [])]);
        const result = await model.doStream({ ...params, abortSignal });
        const { stream, ended } = await waitForFirstText(withProviderErrors(result.stream, caller));
        release();
        const giveUp = () => ended.reject(caller?.aborted ? caller.reason : asProviderError(abortSignal.reason));
        abortSignal.addEventListener("abort", giveUp, { once: true });
        return { result: { ...result, stream }, ended: ended.promise };
      };
      return (await resilience.run(begin, caller, ({ ended }) => ended)).result;
    },
  };
  return wrapLanguageModel({
    model: connect(settings, budget).chat(settings.model),
    // many compatible servers include the model's reasoning in its answer
    middleware: [guarded, extractReasoningMiddleware({ tagName: "think" })],
  });
}

/** A signal that follows another one until it is released. */
function releasable(followed: AbortSignal) {
  const follower = new AbortController();
  const abort = () => follower.abort(followed.reason);
  followed.addEventListener("abort", abort);
  return { signal: follower.signal, release: () => followed.removeEventListener("abort", abort) };
}

/**
 * Waits for the first text of a stream. Until then, the attempt can fail without anybody having read a part of it.
 * @returns the stream, and what settles when it ends, fails or is cancelled
 * @throws ProviderError
 */
async function waitForFirstText(stream: ReadableStream<LanguageModelV4StreamPart>) {
  const reader = stream.getReader();
  const read: LanguageModelV4StreamPart[] = [];
  while (read.at(-1)?.type !== "text-delta") {
    const { done, value } = await reader.read();
    if (done) throw new ProviderError("invalid", "The provider sent an answer without text");
    if (value.type === "error") {
      void reader.cancel().catch(() => undefined);
      throw asProviderError(value.error);
    }
    read.push(value);
  }
  const ended = Promise.withResolvers<void>();
  const rest = new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = read.length > 0 ? { done: false, value: read.shift() } : await reader.read();
        if (value?.type === "error") ended.reject(asProviderError(value.error));
        if (done || value?.type === "finish") ended.resolve();
        if (done || value === undefined) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        ended.reject(error);
        throw error;
      }
    },
    cancel(reason) {
      ended.reject(reason);
      return reader.cancel(reason);
    },
  });
  return { stream: rest, ended };
}

/** Replaces the SDK's errors, which would carry the whole request. */
function withProviderErrors<T>(stream: ReadableStream<T>, caller?: AbortSignal): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        caller?.throwIfAborted();
        throw asProviderError(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function connect({ apiKey, baseUrl }: Provider, budget: Budget) {
  return createOpenAI({ apiKey: apiKey ?? "none", baseURL: baseUrl, fetch: guardedFetch(budget) });
}
