import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { AppError } from "../errors.ts";
import { testDatabase } from "../testing/database.ts";
import { routeServer } from "../testing/serve-route.ts";
import { MAX_BODY_BYTES } from "./body.ts";
import { endpoint } from "./endpoint.ts";
import { apiRoute, type Dialect } from "./route.ts";
import { streamLines } from "./stream-lines.ts";

testDatabase();

let scope: TenantScope;
let authorization: string;

beforeAll(async () => {
  scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Endpoints" })).id);
  authorization = `Bearer ${(await createKey(scope, CLI_ACTOR, { name: "Endpoints" })).token}`;
});

const serveHandler = routeServer();
const serve = (route: ReturnType<typeof apiRoute>, params?: Record<string, string>) => serveHandler(route.GET, params);

const echo = apiRoute("/v1/x/[id]", {
  PUT: endpoint({
    access: "retrieve",
    params: z.object({ id: z.uuid() }),
    query: z.object({
      name: z.string(),
      audience: z.union([z.string().transform((one) => [one]), z.array(z.string())]),
    }),
    body: z.object({ size: z.int("must be a whole number") }),
    response: z.strictObject({ id: z.string(), name: z.string(), audience: z.array(z.string()), size: z.number() }),
    handler: async ({ params, query, body }) => ({ status: 201, body: { ...params, ...query, ...body } }),
  }),
});
const HEADER = "x-ragstone-ignored-fields";
const id = "6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11";

function put(url: string, body: object): Promise<Response> {
  const headers = { authorization, "content-type": "application/json" };
  return fetch(url, { method: "PUT", body: JSON.stringify(body), headers });
}

test("path parameters, query and body reach the handler, and its status the caller", async () => {
  const url = await serve(echo, { id });
  const one = await put(`${url}?name=a&audience=x`, { size: 1 });
  expect(one.status).toBe(201);
  expect(await one.json()).toEqual({ id, name: "a", audience: ["x"], size: 1 });
  const two = await put(`${url}?name=a&audience=x&audience=y&colour=red`, { size: 1, weight: 2 });
  expect(await two.json()).toMatchObject({ audience: ["x", "y"] });
  expect(two.headers.get("x-ragstone-ignored-fields")).toBe("colour, weight");
});

test("unknown fields of the elements of a list are named by their place, and a handler can name more", async () => {
  const route = apiRoute("/v1/x", {
    PUT: endpoint({
      access: "retrieve",
      body: z.object({ parts: z.array(z.object({ size: z.int() })) }),
      async handler({ ignore }) {
        ignore(["more"]);
        return { status: 204 };
      },
    }),
  });
  const { status, headers } = await put(await serve(route), { parts: [{ size: 1 }, { size: 2, weight: 3 }] });
  expect([status, headers.get("x-ragstone-ignored-fields")]).toEqual([204, "parts.1.weight, more"]);
});

test("fields of another kind of a body are unknown, unless the kind is", async () => {
  const body = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("text"), title: z.string() }),
    z.object({ kind: z.literal("pair"), answer: z.string() }),
  ]);
  const route = apiRoute("/v1/x", {
    PUT: endpoint({ access: "retrieve", body, handler: async () => ({ status: 204 }) }),
  });
  const ignored = async (given: object) => (await put(await serve(route), given)).headers.get(HEADER);
  expect(await ignored({ kind: "pair", answer: "a", title: "t", colour: "red" })).toBe("title, colour");
  expect(await ignored({ kind: "other", answer: "a", title: "t", colour: "red" })).toBe("colour");
});

test("a body may have any number of unknown fields", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [`f${index}`, 0]));
  const route = apiRoute("/v1/x", {
    PUT: endpoint({
      access: "retrieve",
      body: z.object({}),
      bodyBytesMax: 10 * MAX_BODY_BYTES,
      handler: async () => ({ status: 204 }),
    }),
  });
  const { status, headers } = await put(await serve(route), unknown);
  expect([status, headers.get("x-ragstone-ignored-fields")]).toEqual([204, expect.stringMatching(/and \d+ more$/)]);
});

test("a path parameter of another form is 404, a wrong query or body 422", async () => {
  const elsewhere = await put(await serve(echo, { id: "1" }), {});
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.headers.get("ratelimit-limit")).toBe("600");
  const url = await serve(echo, { id });
  const query = await put(`${url}?audience=x`, { size: 1 });
  expect(query.status).toBe(422);
  expect(await query.json()).toMatchObject({ issues: [{ path: "name" }] });
  const body = await put(`${url}?name=a&audience=x`, { size: "1" });
  expect(await body.json()).toMatchObject({ message: "size: must be a whole number", statusCode: 422 });
});

test("a key without the scope is 403 after the rate limit and before the body", async () => {
  const route = apiRoute("/v1/x", {
    PUT: endpoint({ access: "ingest", body: z.object({}), handler: async () => ({ status: 204 }) }),
  });
  const refused = await put(await serve(route), []);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({
    statusCode: 403,
    error: "Forbidden",
    message: expect.stringContaining("ingest"),
    requiredScope: "ingest",
  });
  expect(refused.headers.get("ratelimit-remaining")).toMatch(/^\d+$/);
});

test("a key that is revoked while a slow body arrives is 401, and the handler does not run", async () => {
  const handler = vi.fn(async () => ({ status: 204 }) as const);
  const route = apiRoute("/v1/x", { PUT: endpoint({ access: "retrieve", body: z.object({}), handler }) });
  const send = async (delayMs: number) => {
    const { token, id: keyId } = await createKey(scope, CLI_ACTOR, { name: "Slow" });
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    const body = new ReadableStream(
      {
        async pull(controller) {
          await revokeKey(scope, CLI_ACTOR, keyId);
          clock.mockReturnValue(now + delayMs);
          controller.enqueue(Buffer.from("{}"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = new Request("http://localhost/v1/x", { method: "PUT", headers, body, ...{ duplex: "half" } });
    const { status } = await route.PUT(request, { params: Promise.resolve({}) });
    clock.mockRestore();
    return status;
  };
  expect(await send(1_001)).toBe(401);
  expect(handler).not.toHaveBeenCalled();
  expect(await send(999)).toBe(204);
});

test("202 has a body, 204 has none", async () => {
  const route = apiRoute("/v1/x", {
    PUT: endpoint({
      access: "retrieve",
      response: z.object({ status: z.literal("processing") }),
      handler: async () => ({ status: 202, body: { status: "processing" }, headers: { "X-More": "1" } }),
    }),
    DELETE: endpoint({ access: "retrieve", handler: async () => ({ status: 204 }) }),
  });
  const url = await serve(route);
  const accepted = await put(url, {});
  expect([accepted.status, accepted.headers.get("x-more")]).toEqual([202, "1"]);
  expect(await accepted.json()).toEqual({ status: "processing" });
  const removed = await fetch(url, { method: "DELETE", headers: { authorization } });
  expect([removed.status, removed.headers.get("content-type"), await removed.text()]).toEqual([204, null, ""]);
});

test("a stream arrives with its type; an error before it starts is the usual JSON; HEAD ends it", async () => {
  let ended = 0;
  async function* lines(count: number) {
    try {
      if (count === 0) throw new AppError("Conflict", "Nothing to stream");
      for (let line = 0; line < count; line++) yield `data: ${line}\n\n`;
    } finally {
      ended++;
    }
  }
  const route = apiRoute("/v1/x", {
    GET: endpoint({
      access: "public",
      query: z.object({ count: z.coerce.number() }),
      async handler({ query }) {
        return { stream: await streamLines(lines(query.count)), headers: { "Content-Type": "text/event-stream" } };
      },
    }),
  });
  const url = await serve(route);
  const streamed = await fetch(`${url}?count=3`);
  expect(streamed.headers.get("content-type")).toBe("text/event-stream");
  expect(streamed.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  expect(await streamed.text()).toBe("data: 0\n\ndata: 1\n\ndata: 2\n\n");
  expect(await (await fetch(`${url}?count=0`)).json()).toMatchObject({ statusCode: 409, error: "Conflict" });
  const head = await fetch(`${url}?count=9`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(ended).toBe(3);
});

test("a dialect changes the form of errors, and nothing else", async () => {
  const dialect: Dialect = ({ statusCode, error, message }) => ({
    status: statusCode === 401 ? 403 : statusCode,
    body: { error_code: error, error_msg: message },
    headers: { "X-Dialect": "1" },
  });
  const handler = async () => ({ status: 204 }) as const;
  const route = apiRoute("/v1/x", { PUT: endpoint({ access: "manage", handler }) }, { dialect });
  const url = await serve(route);
  const unknown = await fetch(url, { method: "PUT" });
  expect(unknown.status).toBe(403);
  expect(await unknown.json()).toEqual({ error_code: "Unauthorized", error_msg: "API key is invalid or expired" });
  const method = await fetch(url);
  expect([method.status, method.headers.get("x-dialect")]).toEqual([405, "1"]);
  const scope = await put(url, {});
  expect(await scope.json()).toMatchObject({ error_code: "Forbidden" });
  expect(scope.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  expect(scope.headers.get("ratelimit-limit")).toBe("600");
});
