import type { IncomingMessage, ServerResponse } from "node:http";
import * as notFound from "../../app/v1/[[...path]]/route.ts";
import * as retrieve from "../../app/v1/api/rag/retrieve/route.ts";
import * as status from "../../app/v1/api/status/route.ts";
import * as document from "../../app/v1/openapi.json/route.ts";
import { createWebServer, type WebServer } from "../../scripts/serve/http-server.ts";

type Route = Record<string, (request: Request) => Promise<Response>>;

const ROUTES: Record<string, Route> = {
  "/v1/api/rag/retrieve": retrieve,
  "/v1/api/status": status,
  "/v1/openapi.json": document,
};

/** Starts the product's HTTP server with the API routes in this process, without the framework in between. */
export async function startApiServer(): Promise<WebServer> {
  const web = createWebServer();
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  web.open(handle);
  return web;
}

async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "" } = message;
  const route: Route = ROUTES[new URL(url, "http://localhost").pathname] ?? notFound;
  const answer = await route[method]?.(requestOf(message, method, url));
  if (!answer) throw new Error(`No route answers ${method}`);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function requestOf(message: IncomingMessage, method: string, url: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, [value ?? ""].flat().join(", "));
  const body = ["GET", "HEAD"].includes(method) ? null : bodyOf(message);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, duplex: "half" };
  return new Request(new URL(url, "http://localhost"), init);
}

/** A body stream that keeps the connection open when the reader stops early, because the response is still to be sent. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const parts: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
