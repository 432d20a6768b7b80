import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "../../lib/log.ts";
import { sendRaw } from "../../lib/testing/send-raw.ts";
import { createWebServer, type WebServer } from "./http-server.ts";

vi.stubEnv("LOG_LEVEL", "silent");

let web: WebServer;

beforeEach(async () => {
  web = createWebServer();
  web.server.listen(0, "127.0.0.1");
  await once(web.server, "listening");
});
afterEach(() => web.close(0));

/** Stands in for Next.js: knows only /v1/api/status, /mcp and /, and echoes the request. */
async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith("/fails")) throw new Error("internal detail");
  if (!["/v1/api/status", "/mcp", "/"].includes(request.url ?? "")) return void response.writeHead(404).end("{}");
  if (request.method === "OPTIONS") return void response.writeHead(204, { Allow: "GET, HEAD, OPTIONS" }).end();
  response.end(JSON.stringify({ method: request.method, headers: request.headers }));
}

const raw = (bytes: string) => sendRaw(web.address(), bytes);
const ask = (line: string, headers = "") => raw(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);

describe("the web server", () => {
  it.each([
    ["GET /v1/api/%ff", 404, "NotFound"],
    ["GET /v1/api/status/", 404, "NotFound"],
    ["GET //v1/api/status", 404, "NotFound"],
    ["GET /v1/api/%00", 404, "NotFound"],
    ["GET /v1/..%5capi", 404, "NotFound"],
    ["GET /v1/api/../api/status", 404, "NotFound"],
    ["GET /v1/%2e%2e/", 404, "NotFound"],
    ["GET /v1/./%2E%2e/knowledge", 404, "NotFound"],
    ["GET http://elsewhere/v1/api/status", 404, "NotFound"],
    ["TRACE /v1/api/status", 405, "MethodNotAllowed"],
    ["PROPFIND /v1/api/status", 405, "MethodNotAllowed"],
    ["TRACE /v1/api/nothing", 404, "NotFound"],
    ["CONNECT elsewhere:443", 405, "MethodNotAllowed"],
    ["NONSENSE /", 400, "BadRequest"],
    ["GET /fails", 500, "InternalServerError"],
  ])("answers %s in the API's shape", async (line, statusCode, error) => {
    web.open(handle);
    const { head, body } = await ask(line);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${statusCode} `));
    expect(head).toMatch(/content-type: application\/json/i);
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(JSON.parse(body)).toEqual({ statusCode, error, message: expect.any(String) });
    expect(body).not.toContain("internal detail");
    if (statusCode === 405 && line.includes("/v1")) expect(head).toMatch(/allow: GET, HEAD, OPTIONS/i);
  });

  it("answers MCP with and without a slash, as an API and not as a page", async () => {
    web.open(handle);
    for (const path of ["/mcp", "/mcp/"]) {
      const { head } = await ask(`POST ${path}`);
      expect(head).toMatch(/^HTTP\/1.1 200 /);
      expect(head).not.toMatch(/content-security-policy/i);
    }
  });

  it("gives the handler the address of the connection, not one that the caller sent", async () => {
    web.open(handle);
    for (const path of ["/", "/v1/api/status"]) {
      const { body } = await ask(`GET ${path}`, "X-Ragstone-Address: 1.2.3.4\r\nX-Forwarded-For: 1.2.3.4\r\n");
      expect(JSON.parse(body).headers["x-ragstone-address"]).toBe("127.0.0.1");
    }
  });

  it("answers 431 to headers that are too long, and 400 to invalid HTTP", async () => {
    const long = await ask("GET /", `X-Long: ${"x".repeat(20_000)}\r\n`);
    expect(JSON.parse(long.body)).toMatchObject({ statusCode: 431, error: "RequestHeaderFieldsTooLarge" });
    const nonsense = await raw("\x16\x03\x01 hello\r\n\r\n");
    expect(JSON.parse(nonsense.body)).toMatchObject({ statusCode: 400, error: "BadRequest" });
    const hostless = await raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(JSON.parse(hostless.body)).toMatchObject({ statusCode: 400, error: "BadRequest" });
  });

  it("gives every request its own id, and removes the framework's internal headers", async () => {
    web.open(handle);
    const chosen = "00000000-0000-4000-8000-000000000000";
    const hostile = `X-Request-Id: ${chosen}\r\nRSC: 1\r\nNext-Action: x\r\nX-Middleware-Subrequest: a\r\nAccept: b\r\n`;
    const { body } = await ask("GET /v1/api/status", hostile);
    const { headers } = JSON.parse(body);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers["x-request-id"]).not.toBe(chosen);
    expect(Object.keys(headers).sort()).toEqual(["accept", "connection", "host", "x-ragstone-address", "x-request-id"]);
  });

  it("answers a WebSocket upgrade as an ordinary request", async () => {
    web.open(handle);
    const { head } = await raw(
      "GET /v1/api/status HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n",
    );
    expect(head).toMatch(/^HTTP\/1.1 200/);
  });

  it("answers 503 until it is open", async () => {
    const response = await fetch(`${web.address()}/v1/api/status`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("2");
    web.open(handle);
    expect((await fetch(`${web.address()}/v1/api/status`)).status).toBe(200);
  });

  it("disconnects a client that never finishes its headers", async () => {
    expect(web.server.headersTimeout).toBeLessThanOrEqual(15_000);
    web.server.headersTimeout = 100;
    const { body } = await raw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow:");
    expect(JSON.parse(body)).toMatchObject({ statusCode: 408, error: "RequestTimeout" });
  });

  it.each([
    ["/invite/secret?next=x", "/invite/…"],
    ["/reset/secret", "/reset/…"],
    ["/knowledge/new?q=secret", "/knowledge/new"],
  ])("logs a refused request to %s without its token", async (url, path) => {
    const warn = vi.spyOn(log(), "warn").mockReturnValue();
    web.open(async () => expect.unreachable());
    await ask(`POST ${url}`, "Next-Action: x\r\nOrigin: null\r\nContent-Length: 0\r\n");
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ path, error: "Forbidden" }));
    expect(JSON.stringify(warn.mock.calls)).not.toContain("secret");
    warn.mockRestore();
  });

  it.each([
    ["a path that does not exist", "GET /v1/api/status/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["a request without a host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["invalid HTTP", "hello\r\n\r\n"],
  ])("logs the id that the response to %s names", async (_name, bytes) => {
    const info = vi.spyOn(log(), "info").mockReturnValue();
    web.open(handle);
    const { head } = await raw(bytes);
    const requestId = head.match(/^x-request-id: (.+)$/im)?.[1]?.trim();
    expect(info).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ requestId }));
    info.mockRestore();
  });

  it("answers a complete request when what follows it is not HTTP, and closes the connection", async () => {
    const requested = Promise.withResolvers<void>();
    const refused = once(web.server, "clientError");
    web.open(async (request, response) => {
      requested.resolve();
      // the rest of the connection is read before the request is answered
      await refused;
      await handle(request, response);
    });
    const bytes = "GET /v1/api/status HTTP/1.1\r\nHost: x\r\n\r\n";
    const { head } = await raw(`${bytes}${bytes}garbage\r\n\r\n`);
    await requested.promise;
    expect(head).toMatch(/^HTTP\/1.1 200 /);
  });

  it("passes no range on to a page", async () => {
    web.open(handle);
    expect(JSON.parse((await ask("GET /", "Range: bytes=99-\r\n")).body).headers).not.toHaveProperty("range");
    expect(JSON.parse((await ask("GET /v1/api/status", "Range: bytes=99-\r\n")).body).headers).toHaveProperty("range");
  });

  it.each([
    ["a multipart form", "Content-Type: multipart/form-data; boundary=x", 400, "BadRequest"],
    [
      "a multipart form without a boundary, sent as an action",
      "Content-Type: multipart/form-data\r\nNext-Action: x",
      400,
      "BadRequest",
    ],
    ["an action from another site", "Next-Action: x\r\nOrigin: http://evil.example", 403, "Forbidden"],
    ["an action from an opaque origin", "Next-Action: x\r\nOrigin: null", 403, "Forbidden"],
    ["an action from an invalid origin", "Next-Action: x\r\nOrigin: evil", 403, "Forbidden"],
    [
      "an action whose origin is not the proxy's host",
      "Next-Action: x\r\nOrigin: http://x\r\nX-Forwarded-Host: y",
      403,
      "Forbidden",
    ],
  ])("refuses %s before a page sees it", async (_name, headers, statusCode, error) => {
    web.open(async () => expect.unreachable());
    const { body } = await ask("POST /", `${headers}\r\nContent-Length: 0\r\n`);
    expect(JSON.parse(body)).toEqual({ statusCode, error, message: expect.any(String) });
  });

  it.each([
    ["from this site", "Next-Action: x\r\nOrigin: http://x"],
    ["from a tool, which sends no origin", "Next-Action: x"],
    ["behind a proxy", "Next-Action: x\r\nOrigin: https://y\r\nX-Forwarded-Host: y"],
  ])("lets an action through: %s", async (_name, headers) => {
    web.open(handle);
    expect((await ask("POST /", `${headers}\r\nContent-Length: 0\r\n`)).head).toMatch(/^HTTP\/1.1 200 /);
  });

  it("keeps a connection alive, but no state of the previous request", async () => {
    web.open(handle);
    const listeners: number[] = [];
    web.server.on("request", ({ socket }) => listeners.push(socket.listenerCount("close")));
    const { port } = new URL(web.address());
    const sockets = new Set();
    const agent = new Agent({ keepAlive: true });
    for (let i = 0; i < 3; i++) {
      const request = httpRequest({ port, host: "127.0.0.1", agent, method: "POST" }).end("body");
      const [response] = await once(request, "response");
      sockets.add(request.socket);
      response.resume();
      await once(response, "end");
      await setTimeout(0);
    }
    expect(sockets.size).toBe(1);
    expect(new Set(listeners).size).toBe(1);
    agent.destroy();
  });

  it("gives every page a content security policy with its own nonce, and the API none", async () => {
    web.open(handle);
    const given = "Content-Security-Policy: script-src 'nonce-known'\r\nX-Ragstone-Path: /elsewhere\r\n";
    const [one, other] = [await ask("GET /", given), await ask("GET /", given)];
    const policy = one.head.match(/^content-security-policy: (.*)$/im)?.[1];
    expect(JSON.parse(one.body).headers).toMatchObject({
      "content-security-policy": policy,
      "x-ragstone-path": "/",
    });
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/]{22}==' 'strict-dynamic';/);
    expect(other.head).not.toContain(String(policy));
    expect(one.head).toMatch(/^referrer-policy: same-origin$/im);
    expect((await ask("GET /v1/api/status")).head).not.toMatch(/content-security-policy/i);
  });

  it("keeps the policy that a route sets itself", async () => {
    web.open(async (_request, response) => {
      expect(response.hasHeader("Content-Security-Policy")).toBe(false);
      response.setHeader("Content-Security-Policy", "sandbox");
      response.end();
    });
    const { head } = await ask("GET /knowledge/1/original");
    expect(head.match(/^content-security-policy: .*$/gim)).toEqual(["Content-Security-Policy: sandbox"]);
  });
});
