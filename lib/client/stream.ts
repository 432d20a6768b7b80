import { ConnectionError, StreamError, TimeoutError } from "./errors.ts";
import { TIMER_MS_MAX } from "./transport.ts";
import type { RetrieveResponse } from "./types.ts";

/** A part of a streamed retrieval: the AI SDK's UI message stream. */
export type StreamPart =
  | { type: "start"; messageId: string }
  | { type: "data-retrieval"; id: string; data: RetrieveResponse }
  | { type: "source-url"; sourceId: string; url: string; title: string }
  | { type: "start-step" }
  /** The text since `start-step` is replaced by what follows. */
  | { type: "reset-step" }
  | { type: "text-start"; id: string }
  | { type: "text-delta"; id: string; delta: string }
  | { type: "text-end"; id: string }
  | { type: "data-answer"; id: string; data: { aiGeneratedAnswer: string } }
  | { type: "finish-step" }
  | { type: "finish"; finishReason: "stop"; messageMetadata: StreamMetadata };

export interface StreamMetadata {
  requestId: string;
  /** What was unavailable: `embedding`, `generation`, `rerank`. */
  degraded: string[];
  truncatedFields: string[];
  /** Whether the results support an answer; null without an answer. */
  answered: boolean | null;
  /** Who verified the answer, and until which day; absent when the answer is not a verified one. */
  verified?: { by: string; until: string | null };
}

const END = "[DONE]";

/**
 * The parts of an event stream, until its end.
 * @param idleMs how long the server may send nothing; it sends a comment every 15 s
 * @throws {StreamError} when the server ends the stream with an error; {ConnectionError}; {TimeoutError}
 */
export async function* readParts(response: Response, idleMs: number): AsyncGenerator<StreamPart> {
  for await (const data of readEvents(response, idleMs)) {
    if (data === END) return;
    const part: StreamPart | { type: "error"; errorText: string } = JSON.parse(data);
    if (part.type === "error") throw new StreamError(part.errorText);
    yield part;
  }
  throw new ConnectionError("The connection was interrupted before the stream ended.");
}

/** The data of server-sent events. */
async function* readEvents({ body }: Response, idleMs: number): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, idleMs);
      if (done) return;
      const events = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? line.slice(5).trim() : []));
        if (data.length > 0) yield data.join("\n");
      }
    }
  } finally {
    // even when the caller leaves the loop, so that the server stops
    await reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimeoutError("The server stopped sending before the stream ended.")),
      Math.min(ms, TIMER_MS_MAX),
    );
  });
  try {
    return await Promise.race([reader.read(), idle]);
  } catch (error) {
    if (error instanceof TypeError)
      throw new ConnectionError("The connection was interrupted before the stream ended.", { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
