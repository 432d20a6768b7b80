import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ERROR_STATUS, type ErrorName } from "../lib/errors.ts";
import { ADDRESS_HEADER, clientAddress } from "../lib/http/client-address.ts";
import { contentSecurityPolicy, SECURITY_HEADERS } from "../lib/http/security-headers.ts";
import { log } from "../lib/log.ts";
import { watchBody } from "./body-timeout.ts";
import { pageRefusal } from "./page-requests.ts";

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface WebServer {
  server: Server;
  /** Where it listens, for a request of this process to itself. */
  address(): string;
  /** Begins to serve; until then everything but the probes is told to come back. */
  open(handle: Handle): void;
  /** Stops listening and lets the requests in flight finish, for at most `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface WebServerOptions {
  /** Whether web sockets are let through to the handler. */
  upgrades?: boolean;
  /** Whether a proxy in front ends TLS, so that its word on the client's address counts. */
  behindProxy?: boolean;
  /** How long a body may stand still. */
  bodyTimeoutMs?: number;
}

/** What frameworks answer; every other method has no meaning here. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const PROBES = new Set(["/healthz", "/readyz"]);
/** The framework's own headers: with them a caller could ask it for something else than the API's answer. */
const INTERNAL_HEADER = /^(rsc|next-.*|x-nextjs-.*|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-action-.*)$/;
/** How long a body may stand still. */
const BODY_TIMEOUT_MS = 15_000;
/** How long a client whose connection is ended may take to read why. */
const LINGER_MS = 1_000;
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // a long upload takes as long as it makes progress
  requestTimeout: 3_600_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // a request without a host gets our answer, not an empty one
  requireHostHeader: false,
};

/**
 * The server that owns the port: a thin one in front of a framework's handler, which answers hostile requests in plain
 * text or with 500. What is malformed is answered here, in the API's one shape of errors.
 */
export function createWebServer({
  upgrades = false,
  behindProxy = false,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
}: WebServerOptions = {}): WebServer {
  const sockets = new Set<Socket>();
  const inFlight = new Map<Socket, ServerResponse>();
  let handle: Handle | undefined;
  let opened = false;
  let closing = false;
  const server = createServer({ ...LIMITS, shouldUpgradeCallback: () => upgrades });
  let address = "";
  server.once("listening", () => {
    address = originOf(server.address());
  });

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (request, response) => {
    inFlight.set(request.socket, response);
    response.once("close", () => inFlight.delete(request.socket));
    if (closing) response.shouldKeepAlive = false;
    watchBody(request, bodyTimeoutMs, () => endSlow(request.socket, response));
    beforeHead(response, (status) => {
      // the rest of the body would be taken for the next request
      if (status === ERROR_STATUS.RequestTimeout) response.shouldKeepAlive = false;
    });
    // always our own: a caller's could be anybody's
    const id = randomUUID();
    request.headers["x-request-id"] = id;
    request.headers[ADDRESS_HEADER] = clientAddress({
      remoteAddress: request.socket.remoteAddress,
      forwardedFor: request.headers["x-forwarded-for"],
      behindProxy,
    });
    answer(request, response).catch((error: unknown) => {
      console.error(id, error);
      if (response.headersSent) response.destroy();
      else send(response, "InternalServerError", `Something went wrong. Report this request ID: ${id}`);
    });
  });
  // an expectation that we do not know is no reason to refuse
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket: Socket) =>
    refuse(socket, "MethodNotAllowed", "This server is not a proxy", { Allow: "GET" }),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const [name, message] = faultOf(error.code);
    if (inFlight.get(socket)?.headersSent) socket.destroy();
    else refuse(socket, name, message);
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const path = url.split("?", 1)[0] ?? "";
    if (!request.headers.host && request.httpVersion === "1.1")
      return send(response, "BadRequest", "Send a Host header");
    if (!isPlain(path)) return send(response, "NotFound", "Nothing exists at this path");
    if (!handle || (!opened && !PROBES.has(path))) {
      return send(response, "ServiceUnavailable", "The server is starting. Retry in a few seconds", {
        "Retry-After": "2",
      });
    }
    if (!METHODS.has(method)) return refuseMethod(response, `${address}${url}`);
    if (/^\/v1(\/|$)/.test(path)) removeInternalHeaders(request);
    else {
      const refusal = pageRefusal(request);
      if (refusal) return refusePage(request, response, refusal);
      protectPage(request, response, upgrades);
    }
    await handle(request, response);
  }

  return {
    server,
    address: () => address,
    open: (given) => {
      handle = given;
      opened = true;
    },
    close: (graceMs) => {
      closing = true;
      for (const response of inFlight.values()) response.shouldKeepAlive = false;
      // Node waits for a connection that has not asked anything yet
      for (const socket of sockets) if (!inFlight.has(socket)) socket.destroy();
      return closeServer(server, graceMs);
    },
  };
}

/** What the path does answer is asked of the path itself. */
async function refuseMethod(response: ServerResponse, url: string): Promise<void> {
  const options = await fetch(url, { method: "OPTIONS", redirect: "manual" });
  const allow = options.headers.get("allow");
  if (options.status === 404) return send(response, "NotFound", "Nothing exists at this path");
  send(response, "MethodNotAllowed", `This path answers ${allow ?? "GET, HEAD"}`, { Allow: allow ?? "GET, HEAD" });
}

/** A path that reads the same to everyone: it decodes, and has no empty, relative or hidden parts. */
function isPlain(path: string): boolean {
  if (path === "/") return true;
  if (!path.startsWith("/") || path.endsWith("/")) return false;
  try {
    const decoded = decodeURIComponent(path);
    return !/[\\\0]|\/\/|\/\.{1,2}(\/|$)/.test(decoded);
  } catch {
    return false;
  }
}

/** Browsers get their rules; the framework reads the nonce from the request's policy, the pages where they are. */
function protectPage(request: IncomingMessage, response: ServerResponse, development: boolean): void {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), { development });
  request.headers["content-security-policy"] = policy;
  request.headers["x-ragstone-path"] = request.url;
  setUnlessGiven(response, "Content-Security-Policy", policy);
  response.setHeader("X-Request-Id", String(request.headers["x-request-id"]));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

/** Set last: the framework leaves out what a route says, such as a download's stricter policy, where a header is there already. */
function setUnlessGiven(response: ServerResponse, name: string, value: string): void {
  beforeHead(response, () => {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  });
}

function beforeHead(response: ServerResponse, change: (status: number) => void): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead: (...parameters: Parameters<typeof writeHead>) => {
      change(parameters[0]);
      return Reflect.apply(writeHead, response, parameters);
    },
  });
}

function refusePage(
  { url = "", headers }: IncomingMessage,
  response: ServerResponse,
  [error, message]: [ErrorName, string],
): void {
  const requestId = String(headers["x-request-id"]);
  log().warn({ msg: "page request refused", requestId, path: url.split("?", 1)[0], error });
  send(response, error, message, { "X-Request-Id": requestId });
}

function removeInternalHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (INTERNAL_HEADER.test(name)) delete request.headers[name];
}

function faultOf(code: string | undefined): [ErrorName, string] {
  if (code === "HPE_HEADER_OVERFLOW") return ["RequestHeaderFieldsTooLarge", "The headers are larger than 16 KiB"];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["RequestTimeout", "The request timed out"];
  return ["BadRequest", "The request is not valid HTTP"];
}

function bodyOf(error: ErrorName, message: string): string {
  return JSON.stringify({ statusCode: ERROR_STATUS[error], error, message });
}

function headersOf(body: string, extra: Record<string, string>): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "X-Request-Id": randomUUID(),
    ...extra,
  };
}

function send(response: ServerResponse, error: ErrorName, message: string, extra: Record<string, string> = {}): void {
  const body = bodyOf(error, message);
  response.writeHead(ERROR_STATUS[error], headersOf(body, extra));
  response.end(body);
}

/** Nobody waits for the rest of a body that has stopped to arrive. */
function endSlow(socket: Socket, response: ServerResponse): void {
  if (response.headersSent) socket.destroy();
  else refuse(socket, "RequestTimeout", "The body stopped arriving. Send it again in one go.");
}

/** Answers where there is no response object yet, and ends the connection. */
function refuse(socket: Socket, error: ErrorName, message: string, extra: Record<string, string> = {}): void {
  if (!socket.writable) return void socket.destroy();
  const body = bodyOf(error, message);
  const headers = Object.entries({ ...headersOf(body, extra), Connection: "close" });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${ERROR_STATUS[error]} ${error}\r\n${head}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port");
  const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address.address] ?? address.address;
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${address.port}`;
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
