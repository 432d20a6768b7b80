import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterEach } from "vitest";

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/**
 * Serves a route's handler over HTTP until the test ends, and returns its address. The handlers of all methods are the
 * same.
 * @param params the path's parameters, as Next.js gives them
 */
export function routeServer(): (handler: Handler, params?: Record<string, string>) => Promise<string> {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  return async (handler, params = {}) => {
    const server = createServer(async (incoming, outgoing) => {
      const left = new AbortController();
      outgoing.once("close", () => {
        if (!outgoing.writableFinished) left.abort();
      });
      const request = await toRequest(incoming, left.signal);
      const { status, headers, body } = await handler(request, { params: Promise.resolve(params) });
      outgoing.writeHead(status, Object.fromEntries(headers));
      outgoing.flushHeaders();
      for await (const part of body ?? []) outgoing.write(part);
      outgoing.end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1/x`;
  };
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url, headers } = incoming;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === "GET" || method === "HEAD" ? null : new Uint8Array(await buffer(incoming));
  return new Request(`http://localhost${url}`, { method, headers: given, body, signal });
}
