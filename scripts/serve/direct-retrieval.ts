import type { IncomingMessage, ServerResponse } from "node:http";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { acceptsEventStream } from "../../lib/http/event-stream.ts";
import type { Handle } from "./http-server.ts";

const PATH = "/v1/api/rag/retrieve";
/** No route reads the origin, and a caller may send any Host header. */
const ORIGIN = "http://localhost";

/**
 * Calls the handler of retrieval without Next.js, which takes as much processor time as a search in memory. Streams and
 * all other requests go to `handle`.
 */
export function withDirectRetrieval(handle: Handle): Handle {
  return async (incoming, response) => {
    if (incoming.method !== "POST" || incoming.url !== PATH) return handle(incoming, response);
    const headers = headersOf(incoming);
    if (acceptsEventStream({ headers })) return handle(incoming, response);
    const answer = await POST(requestOf(incoming, response, headers));
    response.statusCode = answer.status;
    response.setHeaders(answer.headers);
    response.end(await answer.text());
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
}

function requestOf(incoming: IncomingMessage, response: ServerResponse, headers: Headers): Request {
  const caller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) caller.abort();
  });
  // what a refused request has not read yet would stand before the next request
  response.once("finish", () => incoming.resume());
  const options = { method: "POST", headers, body: bodyOf(incoming), duplex: "half", signal: caller.signal };
  return new Request(ORIGIN + PATH, options);
}

/** The body as a stream whose reader may stop early without closing the connection, on which the refusal is sent. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = incoming.iterator({ destroyOnReturn: false });
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return?.();
    },
  };
  // reads nothing ahead, because a read that still waits when the request is refused would keep the rest from being read
  return new ReadableStream(source, { highWaterMark: 0 });
}
