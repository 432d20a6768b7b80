import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach } from "vitest";

type Respond = (response: ServerResponse, message: IncomingMessage) => void;

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Starts servers for one test, which answer the requests with the given responses in turn; the last one repeats. */
export function scriptedServers(): (...responses: Respond[]) => Promise<{ url: string; received: Received[] }> {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  return async (...responses) => {
    const received: Received[] = [];
    const listener: RequestListener = async (message, response) => {
      const respond = responses[Math.min(received.length, responses.length - 1)];
      const { method, url, headers } = message;
      const request: Received = { method, url, headers, body: "" };
      received.push(request);
      request.body = (await buffer(message).catch(() => Buffer.alloc(0))).toString();
      respond?.(response, message);
    };
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, received };
  };
}

/** Responds with JSON. */
export function sendJson(status: number, body: unknown, headers: Record<string, string> = {}): Respond {
  return (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Cuts the connection after the beginning of a response. */
export function cutAfter(text: string, headers: Record<string, string> = {}): Respond {
  return (response) => {
    response.writeHead(200, headers).write(text, () => response.destroy());
  };
}
