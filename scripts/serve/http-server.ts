import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { ERROR_STATUS, type ErrorName, HEADERS_TOO_LARGE, INVALID_HTTP, NO_SUCH_PATH } from "../../lib/errors.ts";
import { ADDRESS_HEADER, clientAddress } from "../../lib/http/client-address.ts";
import { contentSecurityPolicy, SECURITY_HEADERS } from "../../lib/http/security-headers.ts";
import { watchBody } from "./body-timeout.ts";
import { closeServer } from "./close-server.ts";
import { discardUnreadBody } from "./discard-body.ts";
import { refuse, send } from "./error-responses.ts";
import { pageRefusal } from "./page-requests.ts";
import { isUnambiguous } from "./request-path.ts";

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface WebServer {
  server: Server;
  /** The origin on which this process can reach itself. */
  address(): string;
  /** Starts serving. Until then, all requests get 503. */
  open(handle: Handle): void;
  /**
   * Answers for a moment longer and ends each connection with its answer, so that hardly a request meets a connection
   * that was just closed. Then stops listening and lets the requests in flight finish, for at most `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

interface WebServerOptions {
  /** Whether WebSocket upgrades are passed to the handler. */
  upgrades?: boolean;
  /** Whether a proxy terminates TLS, so that its X-Forwarded-For can be trusted. */
  behindProxy?: boolean;
  /** How long a body may make no progress. */
  bodyTimeoutMs?: number;
}

/** The paths for programs. All others are pages. */
const API_PATH = /^\/(?:v1|mcp)(?:\/|$)/;
/** People paste the URL of the MCP endpoint with a slash at its end. */
const MCP_WITH_SLASH = /^\/mcp\/(?=$|\?)/;
/** The methods that Next.js handles. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Internal headers of Next.js, with which a caller could get something other than the API's response. */
const INTERNAL_HEADER = /^(rsc|next-.*|x-nextjs-.*|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-action-.*)$/;
/** How long a body may make no progress. */
const BODY_TIMEOUT_MS = 15_000;
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  // long, because uploads may take long as long as they make progress (see `watchBody`)
  requestTimeout: 3_600_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // a request without a Host header gets our error, not an empty response
  requireHostHeader: false,
};

/**
 * Creates the HTTP server in front of Next.js, which would answer malformed requests in plain text or with 500. This
 * server answers them itself, with the API's error format.
 */
export function createWebServer({
  upgrades = false,
  behindProxy = false,
  bodyTimeoutMs = BODY_TIMEOUT_MS,
}: WebServerOptions = {}): WebServer {
  const sockets = new Set<Socket>();
  const inFlight = new Map<Socket, ServerResponse>();
  let handle: Handle | undefined;
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
    response.once("close", () => {
      // the next request of the connection may already wait for its answer
      if (inFlight.get(request.socket) !== response) return;
      inFlight.delete(request.socket);
      // the head of a stream may have promised to keep the connection
      if (closing) request.socket.destroySoon();
    });
    if (closing) response.shouldKeepAlive = false;
    watchBody(request, bodyTimeoutMs, () => endStalled(request, response));
    discardUnreadBody(request, response);
    beforeWriteHead(response, (status) => {
      // the rest of the body would be parsed as the next request
      if (status === ERROR_STATUS.RequestTimeout) response.shouldKeepAlive = false;
    });
    // never the caller's id, which may not be unique
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
  // ignores unknown Expect headers
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request, socket: Socket) =>
    refuse(socket, "MethodNotAllowed", "This server is not a proxy", { headers: { Allow: "GET" } }),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = inFlight.get(socket);
    if (response?.req.complete) endAfter(response, socket);
    else if (response?.headersSent) socket.destroy();
    else refuse(socket, ...clientErrorOf(error.code), { requestId: response && requestIdOf(response.req) });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.url = request.url?.replace(MCP_WITH_SLASH, "/mcp");
    const { method = "", url = "" } = request;
    const path = url.split("?", 1)[0] ?? "";
    if (!request.headers.host && request.httpVersion === "1.1")
      return send(response, "BadRequest", "The Host header is missing. Send one.");
    if (!isUnambiguous(path)) return send(response, "NotFound", NO_SUCH_PATH);
    if (!handle) {
      return send(response, "ServiceUnavailable", "The server is starting. Retry in a few seconds.", {
        "Retry-After": "2",
      });
    }
    if (!METHODS.has(method)) return refuseMethod(response, `${address}${url}`);
    if (API_PATH.test(path)) removeInternalHeaders(request);
    else {
      const refusal = pageRefusal(request);
      if (refusal) return send(response, ...refusal);
      // Next.js answers 500 to a range that a file does not have
      delete request.headers.range;
      protectPage(request, response, upgrades);
    }
    await handle(request, response);
  }

  return {
    server,
    address: () => address,
    open: (given) => {
      handle = given;
    },
    close: async (graceMs) => {
      closing = true;
      for (const response of inFlight.values()) response.shouldKeepAlive = false;
      await closeServer(server, graceMs, () => {
        // Node would wait for connections that have not sent a request yet
        for (const socket of sockets) if (!inFlight.has(socket)) socket.destroy();
      });
    },
  };
}

/** Answers 405 with the methods of the path, which an OPTIONS request to the path returns, or 404. */
async function refuseMethod(response: ServerResponse, url: string): Promise<void> {
  const options = await fetch(url, { method: "OPTIONS", redirect: "manual" });
  const allow = options.headers.get("allow") ?? "GET, HEAD";
  if (options.status === 404) return send(response, "NotFound", NO_SUCH_PATH);
  send(response, "MethodNotAllowed", `This path supports only ${allow}.`, { Allow: allow });
}

/** Sets the security headers of a page, and passes the policy with its nonce and the path on to Next.js. */
function protectPage(request: IncomingMessage, response: ServerResponse, development: boolean): void {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), { development });
  request.headers["content-security-policy"] = policy;
  request.headers["x-ragstone-path"] = request.url;
  setDefaultHeader(response, "Content-Security-Policy", policy);
  response.setHeader("X-Request-Id", requestIdOf(request));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

/** Sets a header if the route has not. An earlier value would make Next.js drop the route's own, stricter policy. */
function setDefaultHeader(response: ServerResponse, name: string, value: string): void {
  beforeWriteHead(response, () => {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  });
}

function beforeWriteHead(response: ServerResponse, change: (status: number) => void): void {
  const { writeHead } = response;
  Object.assign(response, {
    writeHead: (...parameters: Parameters<typeof writeHead>) => {
      change(parameters[0]);
      return Reflect.apply(writeHead, response, parameters);
    },
  });
}

function removeInternalHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (INTERNAL_HEADER.test(name)) delete request.headers[name];
}

function clientErrorOf(code: string | undefined): [ErrorName, string] {
  if (code === "HPE_HEADER_OVERFLOW") return ["RequestHeaderFieldsTooLarge", HEADERS_TOO_LARGE];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["RequestTimeout", "The request timed out. Send it without pauses."];
  return ["BadRequest", INVALID_HTTP];
}

/** Lets a complete request, and those before it, be answered. What follows it on the connection is not HTTP. */
function endAfter(response: ServerResponse, socket: Socket): void {
  if (!response.shouldKeepAlive) return;
  response.shouldKeepAlive = false;
  // the head of a stream may have promised to keep the connection
  response.once("close", () => socket.destroySoon());
}

/** Ends a request whose body has stalled. */
function endStalled(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (response.headersSent) return void socket.destroy();
  const requestId = requestIdOf(request);
  refuse(socket, "RequestTimeout", "The body stopped arriving. Send it again without pauses.", { requestId });
}

function requestIdOf({ headers }: IncomingMessage): string {
  return String(headers["x-request-id"]);
}

function originOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port");
  const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address.address] ?? address.address;
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${address.port}`;
}
