import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { apiRoute } from "../http/route.ts";
import { freePort } from "./free-port.ts";

/**
 * Serves a route over HTTP on a free port. Close it after use.
 * @param params the path's parameters, as Next.js gives them
 */
export async function serveRoute(route: ReturnType<typeof apiRoute>, params: Record<string, string> = {}) {
  const server = createServer(async (incoming, outgoing) => {
    // the handlers of all methods are the same
    const { status, headers, body } = await route.GET(await toRequest(incoming), { params: Promise.resolve(params) });
    outgoing.writeHead(status, Object.fromEntries(headers));
    for await (const part of body ?? []) outgoing.write(part);
    outgoing.end();
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${port}/v1/x`, close: () => server.close() };
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url, headers } = incoming;
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === "GET" || method === "HEAD" ? null : new Uint8Array(await buffer(incoming));
  return new Request(`http://localhost${url}`, { method, headers: given, body });
}
