import type { UIMessageChunk } from "ai";
import { permalinkOf } from "./permalink.ts";
import type { FoundPart, Retrieval, RetrievalParts } from "./service.ts";

const ANSWER = { id: "answer" };

/**
 * A retrieval as the AI SDK's UI message stream, which `useChat` reads. The results come before the step with the
 * answer, because a reset of the step drops only what came after its start.
 * @param rest the parts after `found`
 * @param options.publicUrl without a trailing slash
 */
export async function* toUiMessage(
  { response }: FoundPart,
  rest: RetrievalParts,
  { requestId, publicUrl }: { requestId: string; publicUrl: string },
): AsyncGenerator<UIMessageChunk> {
  yield { type: "start", messageId: requestId };
  yield { type: "data-retrieval", id: "retrieval", data: response };
  for (const result of response.results) {
    const url = permalinkOf(result, publicUrl);
    yield { type: "source-url", sourceId: result.id, url, title: result.payload.title };
  }
  const { degraded, truncatedFields, answered, trace } = yield* answerStep(rest);
  const { returned, by, until } = trace.verified ?? {};
  const messageMetadata = {
    requestId,
    degraded,
    truncatedFields,
    answered,
    ...(returned && { verified: { by, until } }),
  };
  yield { type: "finish", finishReason: "stop", messageMetadata };
}

async function* answerStep(rest: RetrievalParts): AsyncGenerator<UIMessageChunk, Retrieval> {
  let hasStep = false;
  let hasText = false;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) {
      if (!hasText) return value;
      yield { type: "text-end", ...ANSWER };
      const { aiGeneratedAnswer } = value.response;
      yield { type: "data-answer", ...ANSWER, data: { aiGeneratedAnswer } };
      yield { type: "finish-step" };
      return value;
    }
    if (value.type === "text") {
      if (!hasStep) yield { type: "start-step" };
      if (!hasText) yield { type: "text-start", ...ANSWER };
      hasStep = true;
      hasText = true;
      yield { type: "text-delta", ...ANSWER, delta: value.text };
    } else if (value.type === "reset" && hasText) {
      hasText = false;
      yield { type: "reset-step" };
    }
  }
}
