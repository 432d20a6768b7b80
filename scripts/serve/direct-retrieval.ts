import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiRequest } from "../../lib/http/api-request.ts";
import { acceptsEventStream } from "../../lib/http/event-stream.ts";
import { retrieveRoute } from "../../lib/http/retrieve-route.ts";
import type { Handle } from "./http-server.ts";

const PATH = "/v1/api/rag/retrieve";
/** No route reads the origin, and a caller may send any Host header. */
const ORIGIN = "http://localhost";

/**
 * Calls the route of retrieval without Next.js, which takes as much processor time as a search in memory. Streams and
 * all other requests go to `handle`.
 */
export function withDirectRetrieval(handle: Handle): Handle {
  return async (incoming, response) => {
    if (incoming.method !== "POST" || incoming.url !== PATH) return handle(incoming, response);
    const headers = headersOf(incoming);
    if (acceptsEventStream({ headers })) return handle(incoming, response);
    const answer = await retrieveRoute.answer(requestOf(incoming, response, headers));
    response.statusCode = answer.status;
    response.setHeaders(answer.headers);
    response.end(typeof answer.body === "string" ? answer.body : null);
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
}

function requestOf(incoming: IncomingMessage, response: ServerResponse, headers: Headers): ApiRequest {
  const caller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) caller.abort();
  });
  // a reader that stops early keeps the connection open, on which the refusal is sent (see `discardUnreadBody`)
  return { method: "POST", url: ORIGIN + PATH, headers, body: incoming, signal: caller.signal };
}
