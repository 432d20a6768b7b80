import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { createWebServer, type WebServer } from "../../scripts/serve/http-server.ts";

const ROUTES = join(import.meta.dirname, "../../app");

type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>;

interface Route {
  /** Matches the path; its groups are the parameters. */
  pattern: RegExp;
  handlers: Record<string, Handler>;
}

/** Starts the product's HTTP server with the API routes in this process, without the framework in between. */
export async function startApiServer(): Promise<WebServer> {
  const routes = await readRoutes();
  const web = createWebServer();
  await new Promise<void>((resolve) => web.server.listen(0, "127.0.0.1", resolve));
  web.open((message, response) => handle(routes, message, response));
  return web;
}

/** All routes of the API, fixed paths before those with parameters. */
async function readRoutes(): Promise<Route[]> {
  const folders = readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:v1|mcp)\/(?:.*\/)?route\.ts$/.test(file))
    .map((file) => file.slice(0, -"/route.ts".length))
    // a bracket sorts after all letters once it is replaced
    .sort((a, b) => (a.replaceAll("[", "~") < b.replaceAll("[", "~") ? -1 : 1));
  return Promise.all(
    folders.map(async (folder) => ({
      pattern: patternOf(folder),
      handlers: await import(/* @vite-ignore */ join(ROUTES, folder, "route.ts")),
    })),
  );
}

function patternOf(folder: string): RegExp {
  const path = folder
    .replace(/\/?\[\[\.\.\.\w+\]\]/, "(?:/.*)?")
    .replaceAll(/\[(\w+)\]/g, "(?<$1>[^/]+)")
    .replace(/^/, "/");
  return new RegExp(`^${path}$`);
}

async function handle(routes: Route[], message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "" } = message;
  const { pathname } = new URL(url, "http://localhost");
  const found = routes.map(({ pattern, handlers }) => ({ match: pattern.exec(pathname), handlers }));
  const route = found.find(({ match }) => match);
  const groups = Object.entries(route?.match?.groups ?? {});
  const params = Promise.resolve(Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])));
  const left = new AbortController();
  response.on("close", () => left.abort());
  const answer = await route?.handlers[method]?.(requestOf(message, method, url, left.signal), { params });
  if (!answer) throw new Error(`No route answers ${method}`);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function requestOf(message: IncomingMessage, method: string, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, [value ?? ""].flat().join(", "));
  const body = ["GET", "HEAD"].includes(method) ? null : bodyOf(message);
  const init: RequestInit & { duplex: "half" } = { method, headers, body, signal, duplex: "half" };
  return new Request(new URL(url, "http://localhost"), init);
}

/** A body stream that keeps the connection open if the reader stops early, so that the response can still be sent. */
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
