import { randomBytes } from "node:crypto";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText } from "ai";
import { log } from "../log.ts";
import { checkCitations, citedNumbers } from "./citations.ts";
import { answerLanguage, refusal } from "./local/answer-phrases.ts";
import { type Passage, toPassage } from "./passage.ts";
import { type AnswerContext, buildPrompt, type Prompt } from "./prompt.ts";
import { isProviderError } from "./remote/provider-error.ts";

export interface Answer {
  /** Cites the results as `[1]`, `[2]`, in their order; or says that they hold no answer. */
  answer: string;
  /** Whether it cites any result. */
  supported: boolean;
  /** Names of the context fields that the prompt could not hold whole. */
  truncatedFields: string[];
  /** Whether the model gave none: the fallback's, or the refusal when that failed too. */
  degraded: boolean;
}

/** Characters. A model that runs on and on has lost its way, and reading Markdown takes quadratic time at worst. */
const ANSWER_LENGTH_MAX = 8_000;

interface AnswerRequest {
  model: LanguageModelV4;
  /** Answers when `model` fails or says nothing usable; null when `model` cannot be away. */
  fallback: LanguageModelV4 | null;
  question: string;
  /** What retrieval returned, best first. */
  results: Parameters<typeof toPassage>[0][];
  context: AnswerContext;
  signal?: AbortSignal | undefined;
}

/**
 * An answer to the question from the results and nothing else. Without results no model is asked. The context reaches
 * the prompt of `model` and is kept nowhere. A model that fails costs the caller nothing else: the next one answers,
 * and in the end the refusal does.
 *
 * @throws the reason of `signal` when the caller gave up, and nothing else.
 */
export async function generateAnswer(request: AnswerRequest): Promise<Answer> {
  const { model, fallback, question, results, context, signal } = request;
  const refused = () => ({ answer: refusal(answerLanguage(question)), supported: false });
  const passages = results.map(toPassage);
  if (passages.length === 0) return { ...refused(), truncatedFields: [], degraded: false };

  const prompt = buildPrompt({ question, passages, context, token: randomBytes(16).toString("hex") });
  const { truncatedFields } = prompt;
  for (const asked of fallback === null ? [model] : [model, fallback]) {
    try {
      const answer = await answerOf(asked, prompt, question, passages, signal);
      return { ...answer, truncatedFields, degraded: asked !== model };
    } catch (error) {
      if (isGivenUp(signal)) throw error;
      log().warn({ model: asked.modelId, failure: describeFailure(error) }, "an answer model failed");
    }
  }
  return { ...refused(), truncatedFields, degraded: true };
}

class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

async function answerOf(
  model: LanguageModelV4,
  { instructions, messages, passageCount }: Prompt,
  question: string,
  passages: readonly Passage[],
  signal: AbortSignal | undefined,
) {
  const { text, finishReason } = await generateText({
    model,
    instructions,
    messages,
    maxRetries: 0,
    temperature: 0,
    telemetry: { isEnabled: false },
    providerOptions: { ragstone: { question, passages: passages.slice(0, passageCount) } },
    ...(isTimedOut(signal) || signal === undefined ? {} : { abortSignal: signal }),
  });
  if (finishReason === "error" || finishReason === "content-filter")
    throw new UnusableAnswer(`It ended by ${finishReason}`);
  if (/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) throw new UnusableAnswer("It is a web page");
  if (text.length > ANSWER_LENGTH_MAX) throw new UnusableAnswer("It does not end");
  const answer = checkCitations(text, passages.slice(0, passageCount));
  if (answer === "") throw new UnusableAnswer("It is empty");
  return { answer, supported: citedNumbers(answer).length > 0 };
}

/** A caller that went away wants no fallback; one that set a time limit does. */
function isGivenUp(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !isTimedOut(signal);
}

function isTimedOut(signal: AbortSignal | undefined): boolean {
  return signal?.reason instanceof Error && signal.reason.name === "TimeoutError";
}

/** Only messages of errors that are known to hold neither prompt nor answer. */
function describeFailure(error: unknown): string {
  if (isProviderError(error) || error instanceof UnusableAnswer) return error.message;
  return error instanceof Error ? error.name : "unknown";
}
