import { randomUUID } from "node:crypto";
import { z } from "zod";
import { describeError } from "../describe-error.ts";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage/outage.ts";
import { recordRefusal } from "../usage/record-refusal.ts";
import type { Trace } from "./admit.ts";
import type { Endpoint } from "./endpoint.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Handler = (request: Request) => Promise<Response>;

/**
 * Creates the handlers for every method of one path, for a route file to export. The order of checks is fixed: path
 * (404), method (405), key (401), subscription (403), rate limit (429), body (413, 415, 422), then the endpoint's own.
 * @param path the name of the route in the log, never the path that the caller sent
 * @param endpoints when empty, the path does not exist
 */
export function apiRoute(path: string, endpoints: Partial<Record<Method, Endpoint>>) {
  const allow = allowed(endpoints);
  const handler: Handler = async (request) => {
    const started = performance.now();
    const trace: Trace = { requestId: requestIdOf(request), headers: new Headers() };
    const response = await answer(request, trace, endpoints, allow);
    const { status } = response;
    // health probes come every few seconds, so they are logged at debug level
    log()[path.startsWith("/v1") ? "info" : "debug"]({
      msg: "request",
      requestId: trace.requestId,
      method: request.method,
      route: path,
      status,
      ms: Math.round(performance.now() - started),
      companyId: trace.companyId,
      keyId: trace.keyId,
    });
    return response;
  };
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}

/** The request id that the server set, which the caller sees as `X-Request-Id`. */
function requestIdOf(request: Request): string {
  const given = z.uuid().safeParse(request.headers.get("x-request-id"));
  return given.success ? given.data : randomUUID();
}

function allowed(endpoints: Partial<Record<Method, Endpoint>>): string {
  const methods = Object.keys(endpoints).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"].join(", ");
}

async function answer(
  request: Request,
  trace: Trace,
  endpoints: Partial<Record<Method, Endpoint>>,
  allow: string,
): Promise<Response> {
  trace.headers.set("X-Request-Id", trace.requestId);
  trace.headers.set("Cache-Control", "no-store");
  const started = performance.now();
  const head = request.method === "HEAD";
  try {
    if (Object.keys(endpoints).length === 0) {
      throw new AppError("NotFound", "Nothing exists at this path. See the API reference at /docs");
    }
    if (request.method === "OPTIONS") {
      trace.headers.set("Allow", allow);
      return new Response(null, { status: 204, headers: trace.headers });
    }
    const endpoint = Object.entries(endpoints).find(([method]) => method === (head ? "GET" : request.method))?.[1];
    if (!endpoint) {
      throw new AppError("MethodNotAllowed", `This path supports ${allow}`, { headers: { Allow: allow } });
    }
    return json(200, await endpoint(request, trace), trace.headers, head);
  } catch (error) {
    const refusal = asAppError(error, trace, request.signal);
    const { statusCode, error: name, message, fields, headers } = refusal;
    for (const [header, value] of Object.entries(headers)) trace.headers.set(header, value);
    const { requestId, companyId, keyId } = trace;
    if (companyId && keyId) {
      recordRefusal({ requestId, companyId, keyId, durationMs: performance.now() - started }, refusal);
    }
    return json(statusCode, { statusCode, error: name, message, ...fields }, trace.headers, head);
  }
}

function json(status: number, body: unknown, headers: Headers, head: boolean): Response {
  headers.set("Content-Type", "application/json");
  return new Response(head ? null : JSON.stringify(body), { status, headers });
}

/** The error that the caller may see; details for the operator go to the log. */
function asAppError(error: unknown, { requestId, companyId, keyId }: Trace, signal: AbortSignal): AppError {
  if (error instanceof AppError && error.statusCode < 500) return error;
  if (signal.aborted) return new AppError("BadRequest", "The caller closed the connection", { cause: error });
  log().error({ msg: "request failed", requestId, companyId, keyId, error: describeError(error) });
  if (error instanceof AppError) return error;
  const unknown = `Something went wrong. Report this request ID: ${requestId}`;
  return outageOf(error) ?? new AppError("InternalServerError", unknown);
}
