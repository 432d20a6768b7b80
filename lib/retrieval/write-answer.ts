import type { LanguageModelV4 } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { type Answer, streamAnswer } from "../ai/answer.ts";
import type { AnswerPart } from "../ai/check-sentences.ts";
import type { ContextChunk } from "../ai/context-chunk.ts";
import { answerModel } from "../ai/models.ts";
import type { RetrievalSettings } from "../db/stored-json.ts";
import type { CompanyId } from "../db/tenant.ts";
import type { Question } from "./question.ts";
import type { RankContext } from "./rank-context.ts";
import type { RetrieveRequest, RetrieveResponse } from "./schema.ts";
import { inSearchQueue } from "./search-queue.ts";
import type { Verified } from "./verified-answer.ts";

interface AnswerTask {
  companyId: CompanyId;
  request: RetrieveRequest;
  settings: RetrievalSettings;
  question: Question;
  results: RetrieveResponse["results"];
  /** What the ranking knows about each result. */
  evidence: Pick<ContextChunk, "score" | "keywordScore" | "phrasing">[];
  /** The closest verified answer. */
  verified: Verified | null;
  streamed: boolean;
}

/** Writes the answer from the results, if the request asks for one. A verified answer needs no model. */
export async function* writeAnswer(
  { companyId, request, settings, question, results, evidence, verified, streamed }: AnswerTask,
  { watch, degraded, signal }: RankContext,
): AsyncGenerator<AnswerPart, Answer | null> {
  if (request.returnMode !== "ai_generated_answer") return null;
  const answer = verified?.answer ?? null;
  if (answer !== null) {
    yield { type: "text", text: answer };
    return { answer, kept: answer, supported: true, truncatedFields: [], degraded: false, dropped: [] };
  }
  const { model, fallback } = answerModel();
  const parts = streamAnswer({
    // the local model takes processor time of this process
    model: fallback === null ? queueCalls(model, companyId, signal) : model,
    fallback,
    companyId,
    question: question.text,
    language: question.language,
    preferences: {
      style: settings.answerStyle ?? "full",
      language: settings.answerLanguage,
      refusal: settings.refusalText,
    },
    results: results.map(({ score, payload }, index) => ({ ...payload, score, ...evidence[index] })),
    context: request,
    streamed,
    signal,
  });
  for (;;) {
    const part = await watch.time("answer", () => parts.next());
    if (!part.done) yield part.value;
    else {
      // the model may also have failed to complete the question
      if (part.value.degraded && !degraded.includes("generation")) degraded.push("generation");
      return part.value;
    }
  }
}

/** The model, which waits for the company's turn before each answer. */
function queueCalls(model: LanguageModelV4, companyId: CompanyId, signal: AbortSignal | undefined): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: ({ doGenerate }) => inSearchQueue(companyId, signal, async () => doGenerate()),
      wrapStream: ({ doStream }) => inSearchQueue(companyId, signal, async () => doStream()),
    },
  });
}
