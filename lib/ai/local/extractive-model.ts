import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { z } from "zod";
import { LANGUAGES } from "../../language/language.ts";
import { contextChunkSchema } from "../context-chunk.ts";
import { answerLanguage } from "./answer-phrases.ts";
import { composeAnswer } from "./compose.ts";
import type { EmbedFor } from "./vector-cache.ts";

/** The input of the model, under `providerOptions.ragstone`: the data of the prompt before it became text. */
const optionsSchema = z.object({
  ragstone: z.object({
    question: z.string(),
    /** The language of the question; null when it is unclear. */
    language: z.enum(LANGUAGES).nullable(),
    chunks: z.array(contextChunkSchema),
    /** Whether one sentence, or one list, is enough. */
    isShort: z.boolean().optional(),
    /** The company whose vectors may be remembered. */
    companyId: z.string().optional(),
  }),
});

const FINISHED: LanguageModelV4FinishReason = { unified: "stop", raw: undefined };
const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A language model that generates nothing: it answers with the sentences of the chunks that best answer the question,
 * each cited, or says in the language of the question that there is no answer. Instructions in the prompt or in a
 * chunk have no effect on it.
 *
 * @param embedFor improves the choice of sentences; without it, or while it fails, terms alone decide.
 */
export function createExtractiveModel({ embedFor }: { embedFor?: EmbedFor } = {}): LanguageModelV4 {
  const answer = async ({ providerOptions, abortSignal }: LanguageModelV4CallOptions) => {
    const options = optionsSchema.safeParse(providerOptions);
    if (!options.success) {
      throw new Error("The extractive model answers from providerOptions.ragstone: { question, language, chunks }.");
    }
    const { question, language, chunks, companyId, isShort } = options.data.ragstone;
    const request = {
      question,
      chunks,
      isShort,
      language: answerLanguage(language, chunks[0]?.content),
      signal: abortSignal,
    };
    abortSignal?.throwIfAborted();
    try {
      return await composeAnswer({ ...request, embed: embedFor?.(companyId) });
    } catch (error) {
      if (embedFor === undefined || abortSignal?.aborted) throw error;
      return await composeAnswer(request);
    }
  };

  return {
    specificationVersion: "v4",
    provider: "ragstone",
    modelId: "extractive",
    supportedUrls: {},
    async doGenerate(options) {
      const text = await answer(options);
      return { content: [{ type: "text", text }], finishReason: FINISHED, usage: USAGE, warnings: [] };
    },
    async doStream(options) {
      const parts = streamParts(await answer(options));
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
}

function streamParts(text: string): LanguageModelV4StreamPart[] {
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "answer" },
    ...words.map((delta) => ({ type: "text-delta" as const, id: "answer", delta })),
    { type: "text-end", id: "answer" },
    { type: "finish", finishReason: FINISHED, usage: USAGE },
  ];
}
