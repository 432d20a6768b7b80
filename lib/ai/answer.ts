import { randomBytes } from "node:crypto";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText } from "ai";
import type { Language } from "../language/language.ts";
import { log } from "../log.ts";
import { checkCitations, citedNumbers } from "./citations.ts";
import { type ContextChunk, toContextChunk } from "./context-chunk.ts";
import { answerLanguage, refusal } from "./local/answer-phrases.ts";
import { type AnswerContext, buildPrompt, type Prompt } from "./prompt.ts";
import { isProviderError } from "./remote/provider-error.ts";

export interface Answer {
  /** Cites the results as `[1]`, `[2]` in their order, or says that they hold no answer. */
  answer: string;
  /** Whether the answer cites any result. */
  supported: boolean;
  /** Names of the context fields that were cut to fit the prompt. */
  truncatedFields: string[];
  /** Whether the model failed, so that the fallback or the refusal answered instead. */
  degraded: boolean;
}

/**
 * In characters. A longer answer is a model that repeats itself, and parsing Markdown takes quadratic time at worst.
 */
const ANSWER_LENGTH_MAX = 8_000;

interface AnswerRequest {
  model: LanguageModelV4;
  /** Answers when `model` fails or returns nothing usable; null when `model` is local and cannot be unavailable. */
  fallback: LanguageModelV4 | null;
  question: string;
  /** The language of the question; null when it is unclear. */
  language: Language | null;
  /** Retrieved results, best first. */
  results: Parameters<typeof toContextChunk>[0][];
  context: AnswerContext;
  signal?: AbortSignal | undefined;
}

/**
 * Answers the question from the results only. Without results, no model is called. The context is sent to `model` and
 * stored nowhere. When a model fails, the next one answers; when all fail, the refusal is returned.
 *
 * @throws the reason of `signal` when the caller gave up, and nothing else.
 */
export async function generateAnswer(request: AnswerRequest): Promise<Answer> {
  const { model, fallback, question, language, results, context, signal } = request;
  const refused = () => ({ answer: refusal(answerLanguage(language)), supported: false });
  const chunks = results.map(toContextChunk);
  if (chunks.length === 0) return { ...refused(), truncatedFields: [], degraded: false };

  const prompt = buildPrompt({ question, chunks, context, token: randomBytes(16).toString("hex") });
  const { truncatedFields } = prompt;
  for (const candidate of fallback === null ? [model] : [model, fallback]) {
    try {
      const answer = await answerOf(candidate, prompt, { question, language, chunks }, signal);
      return { ...answer, truncatedFields, degraded: candidate !== model };
    } catch (error) {
      if (isAbandoned(signal)) throw error;
      log().warn({ model: candidate.modelId, failure: describeFailure(error) }, "an answer model failed");
    }
  }
  return { ...refused(), truncatedFields, degraded: true };
}

class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

async function answerOf(
  model: LanguageModelV4,
  { instructions, messages, chunkCount }: Prompt,
  { chunks, ...asked }: Pick<AnswerRequest, "question" | "language"> & { chunks: readonly ContextChunk[] },
  signal: AbortSignal | undefined,
) {
  const { text, finishReason } = await generateText({
    model,
    instructions,
    messages,
    maxRetries: 0,
    temperature: 0,
    telemetry: { isEnabled: false },
    providerOptions: { ragstone: { ...asked, chunks: chunks.slice(0, chunkCount) } },
    ...(isTimedOut(signal) || signal === undefined ? {} : { abortSignal: signal }),
  });
  if (finishReason === "error" || finishReason === "content-filter")
    throw new UnusableAnswer(`It ended by ${finishReason}`);
  if (/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) throw new UnusableAnswer("It is a web page");
  if (text.length > ANSWER_LENGTH_MAX) throw new UnusableAnswer("It does not end");
  const answer = checkCitations(text, chunks.slice(0, chunkCount));
  if (answer === "") throw new UnusableAnswer("It is empty");
  return { answer, supported: citedNumbers(answer).length > 0 };
}

/** A caller that disconnected needs no fallback; a caller whose time limit passed still gets an answer. */
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
