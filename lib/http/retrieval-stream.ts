import { env } from "../env.ts";
import { foundIn, type Retrieval, type RetrievalParts } from "../retrieval/service.ts";
import { toUiMessage } from "../retrieval/ui-message.ts";
import type { Refuse, Reply } from "./endpoint.ts";
import { EVENT_STREAM_HEADERS, eventStream } from "./event-stream.ts";
import { nameList, serverTiming } from "./headers.ts";

/** The headers that describe a retrieval. */
export function retrievalHeaders(retrieval: Pick<Retrieval, "stages" | "degraded"> & Partial<Retrieval>) {
  return {
    ...serverTiming(retrieval.stages),
    ...nameList("X-Ragstone-Degraded", retrieval.degraded),
    ...(retrieval.searchQuery && { "X-Ragstone-Search-Query": encodeURIComponent(retrieval.searchQuery) }),
    ...nameList("X-Ragstone-Truncated-Fields", retrieval.truncatedFields ?? []),
  };
}

/**
 * Replies with the AI SDK's UI message stream. The headers say what is known before the answer is written; the last
 * part of the stream tells the rest.
 * @throws what the search throws, before the response starts
 */
export async function streamReply(
  parts: RetrievalParts,
  { requestId, refuse }: { requestId: string; refuse: Refuse },
): Promise<Reply<never>> {
  const found = await foundIn(parts);
  const message = toUiMessage(found, parts, { requestId, publicUrl: env().publicUrl });
  return {
    stream: eventStream(message, (error) => ({ type: "error", errorText: errorText(refuse(error), requestId) })),
    headers: { ...retrievalHeaders(found), ...EVENT_STREAM_HEADERS, "X-Vercel-AI-UI-Message-Stream": "v1" },
  };
}

function errorText({ message }: Error, requestId: string): string {
  return message.includes(requestId) ? message : `${message} (request ${requestId})`;
}
