import type { Adapter } from "../db/column-values.ts";
import { AppError } from "../errors.ts";
import { recordKnowledgeCall } from "../usage/record.ts";
import { recordRefusal } from "../usage/record-refusal.ts";
import type { Trace } from "./admit.ts";
import type { ApiRequest } from "./api-request.ts";
import { type Endpoint, noSuchPath, type Refuse } from "./endpoint.ts";
import { logFinished, refusalOf, requestIdOf } from "./request-log.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Endpoints = Partial<Record<Method, Endpoint>>;
type Handler = (request: Request, context?: { params: Promise<unknown> }) => Promise<Response>;

/** What becomes a response. */
interface Answer {
  status: number;
  headers: Headers;
  /** A stream for files and events, else a text. */
  body: string | ReadableStream<Uint8Array> | null;
}

/** Turns an error into the response that the clients of a route expect. */
export type Dialect = (error: AppError) => { status: number; body: unknown; headers: Record<string, string> };

interface RouteOptions {
  /** For adapters, whose clients expect the errors of another API. */
  dialect?: Dialect;
  /** The adapter, for the log. */
  via?: Adapter;
}

const ownDialect: Dialect = ({ statusCode, error, message, fields, headers }) => ({
  status: statusCode,
  body: { statusCode, error, message, ...fields },
  headers,
});

/**
 * Creates the handlers for every method of one path, for a route file to export. The order of checks is fixed: path
 * (404), method (405), then those of the endpoint.
 * @param path the name of the route in the log, never the path that the caller sent
 * @param endpoints when empty, the path does not exist
 */
export function apiRoute(path: string, endpoints: Endpoints, { dialect = ownDialect, via }: RouteOptions = {}) {
  /** Answers without the objects of the Fetch API, which take time to make. */
  async function answer(request: ApiRequest, params?: unknown): Promise<Answer> {
    const started = performance.now();
    const trace: Trace = { ids: { requestId: requestIdOf(request.headers) }, headers: new Headers() };
    trace.headers.set("X-Request-Id", trace.ids.requestId);
    trace.headers.set("Cache-Control", "no-store");
    const refuse: Refuse = (error) => {
      const refusal = refusalOf(error, "request", trace.ids, request.signal);
      const { companyId, keyId, requestId } = trace.ids;
      const durationMs = performance.now() - started;
      const statusCode = dialect(refusal).status;
      const origin = trace.asks ? "api" : "manage";
      if (companyId && keyId)
        recordRefusal({ requestId, companyId, keyId, via, origin, durationMs, statusCode }, refusal);
      return refusal;
    };
    const answered = await reply(request, endpoints, { params, trace, refuse })
      .then((sent) => answerOf(request, trace, sent))
      .catch((error: unknown) => answerOf(request, trace, dialect(refuse(error))));
    const { companyId, keyId } = trace.ids;
    if (companyId && keyId && managesKnowledge(trace)) {
      recordKnowledgeCall(companyId, { apiKeyId: keyId, via: via ?? "api", failed: answered.status >= 400 });
    }
    const facts = { ...trace.ids, method: request.method, route: path, status: answered.status };
    // health probes come every few seconds, so they are logged at debug level
    logFinished("request", facts, started, /^\/(?:v1|mcp)/.test(path) ? "info" : "debug");
    return answered;
  }
  const handler: Handler = async (request, context) => {
    const { body, ...init } = await answer(request, await context?.params);
    return new Response(body, init);
  };
  return {
    answer,
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

function managesKnowledge({ scope }: Trace): boolean {
  return scope === "ingest" || scope === "manage";
}

/** Runs the endpoint for the request's method. */
async function reply(
  request: ApiRequest,
  endpoints: Endpoints,
  { params, trace, refuse }: { params: unknown; trace: Trace; refuse: Refuse },
): Promise<Sent> {
  if (Object.keys(endpoints).length === 0) throw noSuchPath();
  const allow = allowed(endpoints);
  if (request.method === "OPTIONS") return { status: 204, headers: { Allow: allow } };
  const method = request.method === "HEAD" ? "GET" : request.method;
  const endpoint = Object.entries(endpoints).find(([name]) => name === method)?.[1];
  if (!endpoint) {
    throw new AppError("MethodNotAllowed", `This path supports only ${allow}.`, { headers: { Allow: allow } });
  }
  return endpoint(request, params, trace, refuse);
}

function allowed(endpoints: Endpoints): string {
  const methods = Object.keys(endpoints).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"].join(", ");
}

interface Sent {
  status?: number;
  body?: unknown;
  stream?: ReadableStream<Uint8Array> | null;
  headers?: Record<string, string>;
}

function answerOf({ method }: ApiRequest, { headers }: Trace, { status = 200, body, stream, ...sent }: Sent): Answer {
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  if (body !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  if (method === "HEAD") {
    // HEAD has no body, so it does not matter how the stream ends
    void stream?.cancel().catch(() => undefined);
    return { status, headers, body: null };
  }
  return { status, headers, body: stream ?? (body === undefined ? null : JSON.stringify(body)) };
}
