import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { env } from "../../env.ts";
import { AppError } from "../../errors.ts";
import type { ApiRequest } from "../../http/api-request.ts";
import { MAX_BODY_BYTES, readBytes } from "../../http/body.ts";
import type { Reply } from "../../http/endpoint.ts";
import { describeKnowledge } from "../../knowledge/browse/describe-knowledge.ts";
import { registerTools, type ToolCall } from "./tools.ts";

const VERSION = "1.0.0";
/** Calls whose responses describe the tools. Other calls need no description. JSON may escape a slash, as PHP does. */
const DESCRIBING_METHOD = /"method"\s*:\s*"(?:tools\\?\/list|initialize|server\\?\/discover)"/;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Answers a request of the Model Context Protocol, in its revisions of 2025 and of 2026-07-28. Keeps nothing between
 * requests.
 * @throws {AppError} Forbidden for the page of another site; BadRequest for a batch, which would pass the rate limit as
 * one request
 */
export async function answerMcp(request: ApiRequest, call: ToolCall): Promise<Reply<never>> {
  requireOwnPage(request.headers);
  const body = await readBytes(request);
  const text = new TextDecoder().decode(body);
  if (/^\s*\[/.test(text)) throw new AppError("BadRequest", "Batches are not supported. Send one message per request.");
  const knowledge = DESCRIBING_METHOD.test(text) ? await describeKnowledge(call.scope, call.actor) : "";
  const handler = createMcpHandler(() => serverFor(call, knowledge), {
    maxRequestBodySize: MAX_BODY_BYTES,
    // otherwise a client could keep streams open
    maxSubscriptions: 0,
  });
  const { method, headers, signal, url } = request;
  const response = await handler.fetch(new Request(url, { method, headers, signal, body: text }));
  // the SDK lets caches keep the response; proxies must not hold back a stream of events
  const own = { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };
  // the SDK keeps every connection, which a client may want to be closed
  const { connection: _, ...sent } = Object.fromEntries(response.headers);
  return { status: response.status, stream: response.body, headers: { ...sent, ...own } };
}

function serverFor(call: ToolCall, knowledge: string): McpServer {
  const server = new McpServer(
    { name: "ragstone", title: "Ragstone", version: VERSION },
    { capabilities: { tools: { listChanged: false } } },
  );
  registerTools(server, call, knowledge);
  return server;
}

/** Refuses pages of other sites, and names that a stranger's page has pointed at this computer (DNS rebinding). */
function requireOwnPage(headers: Headers): void {
  const own = new URL(env().publicUrl).host;
  const origin = headers.get("origin");
  const allowed = (host: string) => host === own || LOOPBACK.includes(host.replace(/:\d+$/, ""));
  if (origin !== null && !(URL.canParse(origin) && allowed(new URL(origin).host))) {
    throw new AppError("Forbidden", "Pages of other sites cannot use this server");
  }
  const host = headers.get("host");
  if (LOOPBACK.includes(env().host) && host !== null && !allowed(host)) {
    throw new AppError(
      "Forbidden",
      `This server does not answer for ${host}. Set PUBLIC_URL to the URL that people use.`,
    );
  }
}
