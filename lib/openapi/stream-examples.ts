import { answerResponseExample } from "./examples.ts";

/** The request of the stream in the examples. */
export const STREAM_EXAMPLE = { requestId: "7df56969-176a-4544-aca0-a0ed40ef786f", publicUrl: "https://ask.example" };

const { aiGeneratedAnswer = "", ...found } = answerResponseExample;

const PARTS = [
  { type: "start", messageId: STREAM_EXAMPLE.requestId },
  { type: "data-retrieval", id: "retrieval", data: found },
  ...found.results.map(({ id, payload: { title } }) => ({
    ...{ type: "source-url", sourceId: id, title },
    url: `${STREAM_EXAMPLE.publicUrl}/knowledge/chunks/${id}`,
  })),
  { type: "start-step" },
  { type: "text-start", id: "answer" },
  { type: "text-delta", id: "answer", delta: aiGeneratedAnswer },
  { type: "text-end", id: "answer" },
  { type: "data-answer", id: "answer", data: { aiGeneratedAnswer } },
  { type: "finish-step" },
  {
    type: "finish",
    finishReason: "stop",
    messageMetadata: { requestId: STREAM_EXAMPLE.requestId, degraded: [], truncatedFields: [], answered: true },
  },
];

/** The stream of the example with an answer, as sent; a test compares it with what the product sends. */
export const streamExample = [...PARTS.map((part) => JSON.stringify(part)), "[DONE]"]
  .map((data) => `data: ${data}\n\n`)
  .join("");

/** A route of a customer's server, which adds the key and passes the stream on to `useChat` in the browser. */
export function passThroughExample(publicUrl: string): string {
  return `export async function POST(request: Request) {
  const { queryText } = await request.json();
  const upstream = await fetch("${publicUrl}/v1/api/rag/retrieve", {
    method: "POST",
    headers: {
      Authorization: "Bearer " + process.env.RAGSTONE_API_KEY,
      "Content-Type": "application/json",
      Accept: "text/event-stream",
    },
    body: JSON.stringify({ queryText, returnMode: "ai_generated_answer" }),
    signal: request.signal,
  });
  if (!upstream.ok) return new Response(upstream.body, { status: upstream.status });
  return new Response(upstream.body, {
    headers: { "Content-Type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1" },
  });
}`;
}
