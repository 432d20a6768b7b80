import { z } from "zod";
import { hashEmbedding } from "./hash-embedding.ts";

/** Responses with the right format and the wrong content; `shuffled` is valid, but in another order. */
export type Nonsense =
  | "nan"
  | "overflow"
  | "null"
  | "zero"
  | "wrong-length"
  | "wrong-count"
  | "wrong-index"
  | "shuffled"
  | "empty-answer";

export interface Answers {
  /** Dimensions of embeddings when the request does not set them. */
  dimensions: number;
  /** Makes the text of a chat completion from the contents of its messages. */
  answer: (contents: unknown[]) => string;
}

const Embeddings = z.object({
  input: z.union([z.string(), z.array(z.string())]),
  model: z.string(),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.int().optional(),
});

/** The body of `POST /v1/embeddings`; base64 is little-endian float32. */
export function answerEmbeddings(body: unknown, settings: Answers, fault?: string) {
  const request = Embeddings.parse(body);
  const inputs = typeof request.input === "string" ? [request.input] : request.input;
  const dimensions = request.dimensions ?? settings.dimensions;
  const data = inputs.map((text, index) => {
    const vector = spoil(hashEmbedding(text, dimensions), fault);
    const base64 = () => Buffer.from(Float32Array.from(vector, Number).buffer).toString("base64");
    return {
      object: "embedding",
      index: fault === "wrong-index" ? 7 : index,
      embedding: request.encoding_format === "base64" ? base64() : vector,
    };
  });
  if (fault === "shuffled") data.reverse();
  if (fault === "wrong-count") data.pop();
  return { object: "list", data, model: request.model, usage: { prompt_tokens: 8, total_tokens: 8 } };
}

function spoil(vector: number[], fault?: string): unknown[] {
  if (fault === "nan") return vector.map(() => "NaN");
  if (fault === "overflow") return vector.with(0, Number.MAX_VALUE);
  if (fault === "null") return vector.map(() => null);
  if (fault === "zero") return vector.map(() => 0);
  return fault === "wrong-length" ? vector.slice(1) : vector;
}

const Rerank = z.object({
  model: z.string(),
  query: z.string(),
  documents: z.array(z.string()),
  top_n: z.int().optional(),
});

/** The body of `POST /v2/rerank`: relevance is the cosine of hashed words, best first. */
export function answerRerank(body: unknown, fault?: string) {
  const { query, documents, top_n } = Rerank.parse(body);
  const wanted = hashEmbedding(query, 512);
  const judged = documents.map((document, index) => {
    const cosine = hashEmbedding(document, 512).reduce((sum, value, i) => sum + value * (wanted[i] ?? 0), 0);
    return { index: fault === "wrong-index" ? 99 : index, relevance_score: spoilScore(cosine, fault) };
  });
  const results = judged.sort((a, b) => Number(b.relevance_score) - Number(a.relevance_score)).slice(0, top_n);
  if (fault === "wrong-count") results.pop();
  return { id: "rerank-1", results, meta: { api_version: { version: "2" } } };
}

function spoilScore(score: number, fault?: string): number | string | null {
  if (fault === "nan") return "NaN";
  if (fault === "null") return null;
  return fault === "overflow" ? (score - 0.5) * 100 : score;
}

const Chat = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  stream: z.boolean().default(false),
});

/** The body of `POST /v1/chat/completions`, or its events when the request asks for a stream. */
export function answerChat(body: unknown, settings: Answers, fault?: string) {
  const { model, messages, stream } = Chat.parse(body);
  const text = fault === "empty-answer" ? "" : settings.answer(messages.map(({ content }) => content));
  const usage = { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 };
  const head = { id: "chatcmpl-1", created: 1_700_000_000, model };
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const words = text.split(/(?<= )/).map((content) => chunk({ role: "assistant", content }, null));
  return {
    completion: {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
      usage,
    },
    chunks: stream ? [...words, { ...chunk({}, "stop"), usage }] : null,
  };
}
