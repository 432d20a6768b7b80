import { randomBytes } from "node:crypto";
import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { type FinishReason, generateText, streamText } from "ai";
import type { Language } from "../language/language.ts";
import { log } from "../log.ts";
import { factChecker, isInOtherLanguage, type Unsupported } from "./check-facts.ts";
import { type AnswerPart, checkSentences, refuseWebPage, UnusableAnswer } from "./check-sentences.ts";
import { toContextChunk } from "./context-chunk.ts";
import { namesIn, withoutNames } from "./context-names.ts";
import { citedNumbers } from "./find-citations.ts";
import { answerLanguage, refusal } from "./local/answer-phrases.ts";
import { type AnswerContext, type AnswerPreferences, buildPrompt, type Prompt } from "./prompt.ts";
import { isProviderError } from "./remote/provider-error.ts";

export interface Answer {
  /** Cites the results as `[1]`, `[2]` in their order, or says that they hold no answer. */
  answer: string;
  /** The answer as it may be kept: without names of the context. */
  kept: string;
  /** Whether the answer cites any result. */
  supported: boolean;
  /** Names of the context fields that were cut to fit the prompt. */
  truncatedFields: string[];
  /** Whether the model failed, so that the fallback or the refusal answered instead. */
  degraded: boolean;
  /** Why each unsupported sentence was dropped. */
  dropped: Unsupported[];
}

interface AnswerRequest {
  model: LanguageModelV4;
  /** Answers when `model` fails or returns nothing usable; null when `model` is local and cannot be unavailable. */
  fallback: LanguageModelV4 | null;
  question: string;
  /** The language of the question; null when it is unclear. */
  language: Language | null;
  /** The company that asks. The local model remembers vectors for each company. */
  companyId?: string;
  /** Retrieved results, best first. */
  results: Parameters<typeof toContextChunk>[0][];
  context: AnswerContext;
  /** How the company wants answers to be written; missing: in full, in the language of the question. */
  preferences?: AnswerPreferences & { /** Replaces the refusal. */ refusal?: string | undefined };
  /** Whether the model is asked to send its text while it writes. The final text is the same either way. */
  streamed: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Answers the question from the results only, sentence by sentence. Without results, no model is called. The context is
 * sent to `model` and stored nowhere. When a model fails, what it wrote is reset and the next one answers; when all
 * fail, the answer is the refusal.
 *
 * @returns the whole answer, which is the text since the last reset
 * @throws the reason of `signal` when the caller gave up, and nothing else.
 */
export async function* streamAnswer(request: AnswerRequest): AsyncGenerator<AnswerPart, Answer> {
  const { model, fallback, question, language, companyId, results, context, preferences, streamed, signal } = request;
  const refused = preferences?.refusal ?? refusal(answerLanguage(preferences?.language ?? language));
  const chunks = results.map(toContextChunk);
  if (chunks.length === 0) return { ...(yield* refuse(refused)), truncatedFields: [], degraded: false, dropped: [] };

  const prompt = buildPrompt({
    question,
    language,
    chunks,
    context,
    preferences,
    token: randomBytes(16).toString("hex"),
  });
  const { truncatedFields, chunkCount } = prompt;
  const known = chunks.slice(0, chunkCount);
  const isShort = preferences?.style === "short";
  const options = {
    ragstone: { question, language, chunks: known, isShort, ...(companyId !== undefined && { companyId }) },
  };
  const evidence = {
    question,
    language: preferences?.language ?? language,
    chunks: known,
    names: namesIn(prompt.context),
  };
  for (const candidate of fallback === null ? [model] : [model, fallback]) {
    try {
      const call = { model: candidate, prompt, options, signal };
      let dropped: Unsupported[] = [];
      const checkFacts = factChecker(evidence);
      // the local model quotes the chunks
      const isLocal = fallback === null || candidate === fallback;
      const check = (text: string, isWhole: boolean) => {
        if (isLocal) return text;
        if (isWhole && isInOtherLanguage(text, evidence)) throw new UnusableAnswer("It is in another language");
        const checked = checkFacts(text, isWhole);
        dropped = checked.dropped;
        return checked.text;
      };
      const text = streamed ? streamedText(call) : wholeText(call);
      const answer = yield* checkSentences(isLocal ? text : refuseWebPage(text), known, check);
      const supported = citedNumbers(answer).length > 0;
      const rest = { truncatedFields, degraded: candidate !== model, dropped };
      if (supported || !isReplaced(preferences, isLocal) || answer === refused)
        return { answer, kept: withoutNames(answer, prompt.context), supported, ...rest };
      yield { type: "reset" };
      return { ...(yield* refuse(refused)), ...rest };
    } catch (error) {
      if (isAbandoned(signal)) throw error;
      log().warn({ model: candidate.modelId, failure: describeFailure(error) }, "an answer model failed");
      yield { type: "reset" };
    }
  }
  return { ...(yield* refuse(refused)), truncatedFields, degraded: true, dropped: [] };
}

/** The local model refuses in the language of the question; a company's own refusal replaces that of every model. */
function isReplaced(preferences: AnswerRequest["preferences"], isLocal: boolean): boolean {
  return preferences?.refusal !== undefined || (isLocal && preferences?.language !== undefined);
}

function* refuse(text: string): Generator<AnswerPart, Pick<Answer, "answer" | "kept" | "supported">> {
  yield { type: "text", text };
  return { answer: text, kept: text, supported: false };
}

interface ModelCall {
  model: LanguageModelV4;
  prompt: Prompt;
  options: SharedV4ProviderOptions;
  signal: AbortSignal | undefined;
}

async function* wholeText(call: ModelCall): AsyncGenerator<string> {
  const { text, finishReason } = await generateText(settingsOf(call));
  refuseUnfinished(finishReason);
  yield text;
}

async function* streamedText(call: ModelCall): AsyncGenerator<string> {
  const settings = settingsOf(call);
  const done = new AbortController();
  const abortSignal = AbortSignal.any([done.signal, ...(settings.abortSignal ? [settings.abortSignal] : [])]);
  // errors are parts of the stream; the SDK would print them, with the request
  const { stream } = streamText({ ...settings, abortSignal, onError: () => undefined });
  try {
    for await (const part of stream) {
      if (part.type === "text-delta") yield part.text;
      else if (part.type === "error") throw part.error;
      else if (part.type === "abort") throw call.signal?.reason ?? new UnusableAnswer("It was aborted");
      else if (part.type === "finish") refuseUnfinished(part.finishReason);
    }
  } finally {
    // leaving the SDK's stream does not end the request of the model
    done.abort();
  }
}

function settingsOf({ model, prompt: { instructions, messages }, options, signal }: ModelCall) {
  return {
    model,
    instructions,
    messages,
    maxRetries: 0,
    temperature: 0,
    telemetry: { isEnabled: false },
    providerOptions: options,
    ...(isTimedOut(signal) || signal === undefined ? {} : { abortSignal: signal }),
  };
}

function refuseUnfinished(finishReason: FinishReason): void {
  if (finishReason === "error" || finishReason === "content-filter")
    throw new UnusableAnswer(`It ended by ${finishReason}`);
}

/** A caller that disconnected does not need a fallback; a caller whose time limit passed still gets an answer. */
function isAbandoned(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !isTimedOut(signal);
}

function isTimedOut(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof Error && signal.reason.name === "TimeoutError";
}

/** Includes the message only of errors known to contain neither prompt nor answer. */
function describeFailure(error: unknown): string {
  if (isProviderError(error) || error instanceof UnusableAnswer) return error.message;
  return error instanceof Error ? error.name : "unknown";
}
