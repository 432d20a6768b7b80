import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { freePort } from "../testing/free-port.ts";
import { cutAfter, scriptedServers, sendJson } from "../testing/scripted-server.ts";
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionError,
  Ragstone,
  type RagstoneOptions,
  RateLimitError,
  ServerError,
  StreamError,
  TimeoutError,
  ValidationError,
} from "./index.ts";

const KEY = "ragstone_live_secret";
const FOUND = { results: [], total: 0, retrievalTimeMs: 1 };
const AT_ONCE = { "Retry-After": "0" };
const unavailable = sendJson(503, { statusCode: 503, error: "ServiceUnavailable", message: "Starting." }, AT_ONCE);

const serve = scriptedServers();

function clientOf(baseUrl: string, options: RagstoneOptions = {}): Ragstone {
  return new Ragstone({ apiKey: KEY, baseUrl, ...options });
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

async function partsOf<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe("a request", () => {
  test("gives the response's headers when asked", async () => {
    const { url } = await serve(sendJson(200, FOUND, { "X-Request-Id": "r1" }));
    const { data, response } = await clientOf(url).retrieve({ queryText: "a" }).withResponse();
    expect([data, response.status, response.requestId]).toEqual([FOUND, 200, "r1"]);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test.each([
    [401, AuthenticationError],
    [403, PermissionError],
    [422, ValidationError],
    [418, ApiError],
    [500, ServerError],
    [429, RateLimitError],
  ])("that gets %i throws its class, with all that the response says", async (status, Class) => {
    const issues = [{ path: "limit", message: "must be at most 100" }];
    const body = { statusCode: status, error: "SomeError", message: "What happened.", issues, requiredScope: "manage" };
    const { url } = await serve(sendJson(status, body, { "X-Request-Id": "r1", "Retry-After": "3600" }));
    const error = await errorOf(clientOf(url).retrieve({ queryText: "a" }));
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({
      name: Class.name,
      message: "What happened.",
      status,
      error: "SomeError",
      issues,
      requestId: "r1",
      body: { requiredScope: "manage" },
    });
  });

  test("explains what is not from Ragstone", async () => {
    const page = await serve((response) => response.writeHead(200).end("<html>"));
    expect(await errorOf(clientOf(page.url).status())).toMatchObject({
      message: "The response is not JSON. Check that baseUrl is the URL of a Ragstone server.",
    });
    const moved = await serve((response) => response.writeHead(301, { Location: "https://b.example/" }).end());
    expect(await errorOf(clientOf(moved.url).status())).toMatchObject({
      status: 301,
      message: "The server redirects to https://b.example/. Set baseUrl to the URL that it redirects to.",
    });
    const proxy = await serve((response) => response.writeHead(502, AT_ONCE).end("Bad Gateway"));
    expect(await errorOf(clientOf(proxy.url).status())).toMatchObject({ status: 502, error: null });
    expect(proxy.received).toHaveLength(3);
  });

  test("is sent again after 429, 503 and a cut connection", async () => {
    const limited = sendJson(429, { error: "TooManyRequests", message: "Wait." }, AT_ONCE);
    const first = await serve(limited, unavailable, sendJson(200, FOUND));
    expect(await clientOf(first.url).retrieve({ queryText: "a" })).toEqual(FOUND);
    expect(first.received).toHaveLength(3);

    const second = await serve(cutAfter('{"resul'), sendJson(200, FOUND));
    expect(await clientOf(second.url).retrieve({ queryText: "a" })).toEqual(FOUND);
    expect(second.received.map(({ body }) => body)).toEqual(['{"queryText":"a"}', '{"queryText":"a"}']);
  });

  test("is not sent again after a refusal, after two retries, or when the pause would take too long", async () => {
    const refused = await serve(sendJson(422, { error: "ValidationError", message: "No." }));
    await errorOf(clientOf(refused.url).retrieve({ queryText: "" }));
    expect(refused.received).toHaveLength(1);

    const down = await serve(unavailable);
    expect(await errorOf(clientOf(down.url).status())).toBeInstanceOf(ServerError);
    expect(down.received).toHaveLength(3);

    const limited = await serve(sendJson(429, { message: "Wait." }, { "Retry-After": "3600" }));
    expect(await errorOf(clientOf(limited.url).status())).toBeInstanceOf(RateLimitError);
    expect(limited.received).toHaveLength(1);
  });

  test("that processes a source again is sent again only if the server did nothing", async () => {
    const cut = await serve(cutAfter("{"), sendJson(202, { id: "1" }));
    expect(await errorOf(clientOf(cut.url).sources.reindex("1"))).toBeInstanceOf(ConnectionError);
    expect(cut.received).toHaveLength(1);
  });

  test("that deletes is sent again only if the server did nothing", async () => {
    const cut = await serve(cutAfter("{"), sendJson(200, { id: "1", sourceId: "a" }));
    expect(await errorOf(clientOf(cut.url).sources.delete("1"))).toBeInstanceOf(ConnectionError);
    expect(cut.received).toHaveLength(1);
    const limited = await serve(
      sendJson(429, { message: "Wait." }, AT_ONCE),
      sendJson(200, { id: "1", sourceId: "a" }),
    );
    expect(await clientOf(limited.url).sources.delete("1")).toEqual({ id: "1", sourceId: "a" });
  });

  test("ends by the timeout or by the caller's signal", async () => {
    const silent = await serve(() => undefined);
    expect(await errorOf(clientOf(silent.url, { timeoutMs: 50 }).status())).toBeInstanceOf(TimeoutError);
    const slow = await serve((response, message) => {
      setTimeout(() => sendJson(200, {})(response, message), 50);
    });
    expect(await clientOf(slow.url, { timeoutMs: Infinity }).status()).toEqual({});
    const leaving = new AbortController();
    const asked = errorOf(clientOf(silent.url).retrieve({ queryText: "a" }, { signal: leaving.signal }));
    // on a busy machine, the request that timed out never arrives
    await vi.waitFor(() => expect(silent.received).toContainEqual(expect.objectContaining({ method: "POST" })), 20_000);
    leaving.abort(new Error("the user left"));
    expect(await asked).toEqual(new Error("the user left"));

    const limited = await serve(sendJson(429, { message: "Wait." }, { "Retry-After": "30" }));
    const waiting = errorOf(clientOf(limited.url).status({ signal: AbortSignal.timeout(100) }));
    expect(await waiting).toMatchObject({ name: "TimeoutError" });
  });

  test("that lets the server wait has time for that, unless the caller sets a timeout", async () => {
    const source = { id: "1", sourceId: "a", status: "ready" };
    const { url } = await serve((response, message) => {
      setTimeout(() => sendJson(200, source)(response, message), 300);
    });
    const { sources } = clientOf(url, { timeoutMs: 100 });
    expect(await sources.waitUntilReady("1")).toEqual(source);
    expect(await sources.statuses(["1"], { waitSeconds: 1 })).toEqual(source);
    expect(await errorOf(sources.get("1", { waitSeconds: 1, timeoutMs: 100 }))).toBeInstanceOf(TimeoutError);
    expect(await errorOf(sources.get("1"))).toBeInstanceOf(TimeoutError);
  });

  test("that no address of the host takes says why", async () => {
    const refusals = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:8080`));
    const cause = new AggregateError(refusals);
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const error = await errorOf(clientOf("http://localhost:8080", { fetch, maxRetries: 0 }).status());
    expect(error).toEqual(
      new ConnectionError("The connection to http://localhost:8080 failed: connect ECONNREFUSED 127.0.0.1:8080"),
    );
  });

  test("never shows the key", async () => {
    const client = clientOf(`http://127.0.0.1:${await freePort()}`, { maxRetries: 0 });
    const error = await errorOf(client.status());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining("ECONNREFUSED") });
    for (const shown of [inspect(error, { depth: 9 }), inspect(client, { depth: 9 }), JSON.stringify(client)]) {
      expect(shown).not.toContain(KEY);
    }
  });
});

describe("a stream", () => {
  const EVENTS = { "Content-Type": "text/event-stream" };
  const start = 'data: {"type":"start","messageId":"r1"}\n\n';

  test("yields the parts, even when they arrive in pieces", async () => {
    const { url, received } = await serve((response) => {
      response.writeHead(200, EVENTS).write(':\n\ndata: {"type":"start",');
      response.write('"messageId":"é"}\r\n\r\n');
      response.end('data: {"type":"start-step"}\n\ndata: [DONE]\n\n');
    });
    const parts = await partsOf(clientOf(url).stream({ queryText: "a" }));
    expect(parts).toEqual([{ type: "start", messageId: "é" }, { type: "start-step" }]);
    expect(received[0]).toMatchObject({
      headers: { accept: "text/event-stream" },
      body: '{"returnMode":"ai_generated_answer","queryText":"a"}',
    });
  });

  test("that was cut throws, and is not sent again", async () => {
    for (const respond of [cutAfter(start, EVENTS), sendRaw(start)]) {
      const { url, received } = await serve(respond);
      expect(await errorOf(partsOf(clientOf(url).stream({ queryText: "a" })))).toBeInstanceOf(ConnectionError);
      expect(received).toHaveLength(1);
    }
  });

  test("is asked for again before it began", async () => {
    const { url, received } = await serve(unavailable, sendRaw(`${start}data: [DONE]\n\n`));
    expect(await partsOf(clientOf(url).stream({ queryText: "a" }))).toHaveLength(1);
    expect(received).toHaveLength(2);
  });

  test("that stalls or ends with an error throws", async () => {
    const stalled = await serve((response) => response.writeHead(200, EVENTS).write(start));
    const stream = clientOf(stalled.url, { timeoutMs: 100 }).stream({ queryText: "a" });
    expect(await errorOf(partsOf(stream))).toBeInstanceOf(TimeoutError);
    const failed = await serve(sendRaw(`${start}data: {"type":"error","errorText":"Broken (request r1)"}\n\n`));
    expect(await errorOf(partsOf(clientOf(failed.url).stream({ queryText: "a" })))).toEqual(
      new StreamError("Broken (request r1)"),
    );
  });

  test("ends the request when the caller leaves the loop", async () => {
    let left = false;
    const { url } = await serve((response) => {
      response.on("close", () => {
        left = true;
      });
      response.writeHead(200, EVENTS).write(start);
    });
    for await (const part of clientOf(url).stream({ queryText: "a" })) if (part.type === "start") break;
    await vi.waitFor(() => expect(left).toBe(true), 20_000);
  });

  function sendRaw(text: string): Parameters<typeof serve>[number] {
    return (response) => response.writeHead(200, EVENTS).end(text);
  }
});
