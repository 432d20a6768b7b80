import { expect, test, vi } from "vitest";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { log } from "../log.ts";
import { endpoint } from "./endpoint.ts";
import { apiRoute } from "./route.ts";

vi.stubEnv("LOG_LEVEL", "silent");

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const response = z.strictObject({ ok: z.literal(true) });

function call(
  route: ReturnType<typeof apiRoute>,
  method: (typeof VERBS)[number],
  headers: Record<string, string> = {},
) {
  return route[method](new Request("http://localhost/v1/x", { method, headers }));
}

function throwing(error: unknown) {
  return apiRoute("/v1/x", {
    GET: endpoint({
      access: "public",
      response,
      handler: async () => {
        throw error;
      },
    }),
  });
}

const working = apiRoute("/v1/x", {
  GET: endpoint({ access: "public", response, handler: async () => ({ body: { ok: true } }) }),
});

test.each(VERBS)("a path without endpoints is 404 for %s", async (method) => {
  const answer = await call(apiRoute("/v1/*", {}), method);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("content-type")).toBe("application/json");
  if (method === "HEAD") expect(await answer.text()).toBe("");
  else expect(await answer.json()).toEqual({ statusCode: 404, error: "NotFound", message: expect.any(String) });
});

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)("%s without an endpoint is 405 with Allow", async (method) => {
  const answer = await call(working, method);
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  expect(await answer.json()).toEqual({ statusCode: 405, error: "MethodNotAllowed", message: expect.any(String) });
});

test("HEAD works like GET, without a body", async () => {
  const [get, head] = await Promise.all([call(working, "GET"), call(working, "HEAD")]);
  expect(await get.json()).toEqual({ ok: true });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
});

test("OPTIONS is 204 with Allow, and there is no CORS", async () => {
  const answer = await call(working, "OPTIONS", {
    origin: "http://evil.example",
    "access-control-request-method": "GET",
  });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.each(VERBS)("every response has its request id and is not cached: %s", async (method) => {
  for (const route of [working, throwing(new Error("x")), apiRoute("/v1/*", {})]) {
    const { headers } = await call(route, method);
    expect(z.uuid().safeParse(headers.get("x-request-id")).success).toBe(true);
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("the server's request id is kept, anything else is replaced", async () => {
  const id = "6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11";
  expect((await call(working, "GET", { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
  expect((await call(working, "GET", { "x-request-id": "x" })).headers.get("x-request-id")).not.toBe("x");
});

test("an error has its name, message, fields and headers", async () => {
  const answer = await call(
    throwing(new AppError("TooManyRequests", "slow down", { fields: { more: 1 }, headers: { "Retry-After": "3" } })),
    "GET",
  );
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("3");
  expect(await answer.json()).toEqual({ statusCode: 429, error: "TooManyRequests", message: "slow down", more: 1 });
});

test("an internal error is 500 with the request id and nothing else; the log has its stack", async () => {
  const error = vi.spyOn(log(), "error");
  const answer = await call(throwing(new Error('secret "select * from keys"')), "GET");
  const id = answer.headers.get("x-request-id");
  const body = await answer.text();
  expect(answer.status).toBe(500);
  expect(JSON.parse(body)).toEqual({
    statusCode: 500,
    error: "InternalServerError",
    message: expect.stringContaining(String(id)),
  });
  expect(body).not.toContain("secret");
  const line = error.mock.lastCall?.[0];
  expect(line).toMatchObject({
    requestId: id,
    error: { stack: expect.arrayContaining([expect.stringContaining("at ")]) },
  });
  expect(JSON.stringify(line)).not.toContain("select");
  error.mockRestore();
});

test("an unavailable database gives 503 with Retry-After", async () => {
  const answer = await call(throwing(Object.assign(new Error("connect"), { code: "ECONNREFUSED" })), "GET");
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await answer.json()).toEqual({ statusCode: 503, error: "ServiceUnavailable", message: expect.any(String) });
});

test("a response that breaks its schema is an internal error", async () => {
  const wrong: { ok: true } = JSON.parse('{"ok":true,"stack":"x"}');
  const route = apiRoute("/v1/x", {
    GET: endpoint({ access: "public", response, handler: async () => ({ body: wrong }) }),
  });
  expect((await call(route, "GET")).status).toBe(500);
});

test("one log line per request, with the path of the route", async () => {
  const info = vi.spyOn(log(), "info");
  await working.GET(new Request("http://localhost/v1/x?token=secret", { headers: { authorization: "Bearer secret" } }));
  const [line] = info.mock.calls.map(([entry]) => entry);
  expect(info).toHaveBeenCalledTimes(1);
  expect(line).toMatchObject({ msg: "request", method: "GET", route: "/v1/x", status: 200, ms: expect.any(Number) });
  expect(JSON.stringify(line)).not.toContain("secret");
  info.mockRestore();
});
