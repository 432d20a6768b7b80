import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { MAX_BODY_BYTES } from "../../lib/http/body.ts";
import { testDatabase } from "../../lib/testing/database.ts";
import { addAndIngest, document, newCompany } from "../../lib/testing/knowledge.ts";
import { lengthenDatabaseTimeout } from "../../lib/testing/long-limits.ts";
import { withDirectRetrieval } from "./direct-retrieval.ts";
import { createWebServer } from "./http-server.ts";

vi.stubEnv("LOG_LEVEL", "silent");
testDatabase();
lengthenDatabaseTimeout();

const PATH = "/v1/api/rag/retrieve";
const web = createWebServer();
const framework = vi.fn();
let token: string;

beforeAll(async () => {
  const scope = await newCompany();
  ({ token } = await createKey(scope, CLI_ACTOR, { name: "Direct" }));
  await addAndIngest(scope, document("hours.md", "The shop opens on Monday."));
  await once(web.server.listen(0, "127.0.0.1"), "listening");
  web.open(
    withDirectRetrieval(async (request, response) => {
      framework(request.method, request.url);
      response.end("Next.js");
    }),
  );
});
beforeEach(() => framework.mockClear());
afterAll(() => web.close(0));

function ask(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(web.address() + PATH, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body,
  });
}

const QUESTION = JSON.stringify({ queryText: "When does the shop open?" });

test("a retrieval is answered without Next.js, with the headers of its route", async () => {
  const response = await ask(QUESTION);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "application/json",
    "content-length": expect.any(String),
    "cache-control": "no-store",
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "ratelimit-limit": expect.any(String),
    "server-timing": expect.stringContaining("embed;dur="),
  });
  expect(await response.json()).toMatchObject({ total: 1, results: [{ payload: { sourceId: "hours.md" } }] });
  expect(framework).not.toHaveBeenCalled();
});

test.each([
  ["an unknown key", 401, QUESTION, { Authorization: "Bearer rs_unknown" }],
  ["a body that is not JSON", 422, "{", {}],
  ["a body of another type", 415, QUESTION, { "Content-Type": "text/plain" }],
])("%s gets %i in the API's shape", async (_, statusCode, body, headers) => {
  const response = await ask(body, headers);
  expect(response.status).toBe(statusCode);
  expect(await response.json()).toMatchObject({ statusCode, error: expect.any(String), message: expect.any(String) });
});

test.each([
  ["GET", PATH, {}],
  ["OPTIONS", PATH, {}],
  ["POST", `${PATH}?x=1`, {}],
  ["POST", "/v1/api/status", {}],
  ["POST", PATH, { Accept: "text/event-stream" }],
])("%s %s with %o goes to Next.js", async (method, path, headers) => {
  const response = await fetch(web.address() + path, { method, headers });
  expect(await response.text()).toBe("Next.js");
  expect(framework).toHaveBeenCalledExactlyOnceWith(method, path);
});

test("a body that is too large is refused, and its connection serves the next request", async () => {
  const socket = connect(Number(new URL(web.address()).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const head = (length: number) =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`;
  socket.write(head(2 * MAX_BODY_BYTES) + " ".repeat(2 * MAX_BODY_BYTES));
  await vi.waitFor(() => expect(received).toMatch(/^HTTP\/1.1 413 /), 30_000);
  received = "";
  socket.write(head(QUESTION.length) + QUESTION);
  await vi.waitFor(() => expect(received).toMatch(/HTTP\/1.1 200 [\s\S]*hours\.md/), 30_000);
  socket.destroy();
});

test("a body without a length is refused when it becomes too large", async () => {
  const socket = connect(Number(new URL(web.address()).port), "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const part = `${MAX_BODY_BYTES.toString(16)}\r\n${" ".repeat(MAX_BODY_BYTES)}\r\n`;
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n${part}${part}`,
  );
  await vi.waitFor(() => expect(received).toMatch(/^HTTP\/1.1 413 /), 30_000);
  socket.destroy();
});

test("a caller that leaves in the middle of its body does not disturb others", async () => {
  const socket = connect(Number(new URL(web.address()).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{`);
  const [incoming] = await once(web.server, "request");
  socket.destroy();
  await once(incoming.socket, "close");
  expect((await ask(QUESTION)).status).toBe(200);
});
