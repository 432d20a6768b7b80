import { DefaultChatTransport, readUIMessageStream, type UIMessage } from "ai";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { RUNNING_MODELS } from "../ai/models.ts";
import { budgets } from "../ai/remote/resilience.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { log } from "../log.ts";
import type { RetrieveInput } from "../retrieval/schema.ts";
import { answerByProvider } from "../testing/answer-model.ts";
import { testDatabase } from "../testing/database.ts";
import { document, learn, newCompany } from "../testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { routeServer } from "../testing/serve-route.ts";
import { getRequest } from "../usage/log.ts";

testDatabase();
const serve = routeServer();

const QUESTION = "When must I send the router back?";
const ANSWER =
  "Send the router back within 14 days [1]. We pay the postage [1, 9]. See https://norte.example/return [1].";
const CHECKED =
  "Send the router back within 14 days [1]. We pay the postage [1]. See https://norte.example/return [1].";
const EXTRACTIVE = /^Send the router back within 14 days\. \[1\]/;
/** Words of the answer's first sentence and of the beginning of the second. */
const WORDS = 11;

let scope: TenantScope;
let token: string;
let provider: ProviderServer;
let answer = ANSWER;

beforeAll(async () => {
  scope = await newCompany();
  ({ token } = await createKey(scope, CLI_ACTOR, { name: "Stream" }));
  const router = "Send the router back within 14 days. See https://norte.example/return.";
  await learn(
    scope,
    document("router.md", router, { metadata: { url: "https://norte.example/router" } }),
    document("hours.md", "The shop for the router is open on Monday."),
  );
  provider = await startProviderServer({ answer: () => answer });
  answerByProvider(provider.url, { budget: { ...budgets.answer, idleMs: 400 } });
  // refusals and faults are logged, as they should be
  vi.spyOn(log(), "warn").mockImplementation(() => undefined);
  vi.spyOn(log(), "error").mockImplementation(() => undefined);
});

afterEach(() => {
  provider.fail(null);
  provider.calls.length = 0;
  answer = ANSWER;
});

afterAll(async () => {
  RUNNING_MODELS.set();
  await provider.close();
});

async function send(body: object, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return fetch(await serve(POST), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const STREAM = { Accept: "text/event-stream" };
const ASKED: RetrieveInput = { queryText: QUESTION, returnMode: "ai_generated_answer" };

/** The parts of a stream, as sent. */
async function partsOf(response: Response): Promise<Record<string, unknown>[]> {
  const events = (await response.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
  return events.map((event) => JSON.parse(event.slice("data: ".length)));
}

async function jsonOf(body: object) {
  const response = await send(body);
  return { ...(await response.json()), requestId: response.headers.get("x-request-id") };
}

/** Reads the stream as the AI SDK does, and returns the text after every change. */
async function chat(body: object = ASKED) {
  const transport = new DefaultChatTransport({
    api: await serve(POST),
    headers: { ...STREAM, Authorization: `Bearer ${token}` },
    prepareSendMessagesRequest: () => ({ body, headers: { ...STREAM, Authorization: `Bearer ${token}` } }),
  });
  const stream = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "1",
    messageId: undefined,
    messages: [],
    abortSignal: undefined,
  });
  const texts: string[] = [];
  const errors: unknown[] = [];
  let message: UIMessage | undefined;
  for await (message of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) {
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (texts.at(-1) !== text) texts.push(text);
  }
  return { texts, message, errors };
}

test("the stream has the documented parts in their order, and the headers that proxies need", async () => {
  const response = await send(ASKED, STREAM);
  const requestId = response.headers.get("x-request-id");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
    "cache-control": "no-store, no-transform",
    "x-accel-buffering": "no",
    "ratelimit-limit": expect.any(String),
    "server-timing": expect.stringMatching(/embed;dur=.*hydrate;dur=/),
  });
  const text = await response.clone().text();
  expect(text.endsWith("\n\ndata: [DONE]\n\n")).toBe(true);
  const { results, total } = await jsonOf(ASKED);
  const [first, second] = results;
  const delta = (part: string) => ({ type: "text-delta", id: "answer", delta: part });
  const page = `${env().publicUrl}/knowledge/chunks/${second.id}`;
  expect(await partsOf(response)).toEqual([
    { type: "start", messageId: requestId },
    { type: "data-retrieval", id: "retrieval", data: { results, total, retrievalTimeMs: expect.any(Number) } },
    { type: "source-url", sourceId: first.id, url: "https://norte.example/router", title: "router.md" },
    { type: "source-url", sourceId: second.id, url: page, title: "hours.md" },
    { type: "start-step" },
    { type: "text-start", id: "answer" },
    delta("Send the router back within 14 days [1]."),
    delta(" We pay the postage [1]."),
    delta(" See https://norte.example/return [1]."),
    { type: "text-end", id: "answer" },
    { type: "data-answer", id: "answer", data: { aiGeneratedAnswer: CHECKED } },
    { type: "finish-step" },
    {
      type: "finish",
      finishReason: "stop",
      messageMetadata: { requestId, degraded: [], truncatedFields: [], answered: true },
    },
  ]);
});

test("chunks only stream their results and the end", async () => {
  const parts = await partsOf(await send({ queryText: QUESTION }, STREAM));
  expect(parts.map(({ type }) => type)).toEqual(["start", "data-retrieval", "source-url", "source-url", "finish"]);
  expect(parts.at(-1)).toMatchObject({ messageMetadata: { answered: null } });
});

test.each([
  ["text/event-stream", true],
  ["Text/Event-Stream; charset=utf-8", true],
  ["text/event-stream, application/json", true],
  ["*/*, text/event-stream", true],
  ["application/json, text/event-stream", false],
  ["*/*", false],
  ["text/*", false],
  ["application/json", false],
  [undefined, false],
])("Accept: %s gives a stream: %s", async (accept, isStream) => {
  const response = await send({ queryText: QUESTION }, accept === undefined ? {} : { Accept: accept });
  await response.body?.cancel();
  expect(response.headers.get("content-type")).toBe(isStream ? "text/event-stream" : "application/json");
});

test.each([
  [{}, {}, 422, "ValidationError"],
  [ASKED, { Authorization: "Bearer none" }, 401, "Unauthorized"],
  [ASKED, { "Content-Type": "text/plain" }, 415, "UnsupportedMediaType"],
])("a refusal before the first byte is the usual JSON", async (body, headers, status, error) => {
  const response = await send(body, { ...STREAM, ...headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
  expect(await response.json()).toMatchObject({ statusCode: status, error });
});

test("the AI SDK reads sources, data, text and metadata", async () => {
  const { message, texts, errors } = await chat();
  expect(errors).toEqual([]);
  expect(texts.at(-1)).toBe(CHECKED);
  expect(texts.length).toBeGreaterThan(3);
  expect(message?.metadata).toMatchObject({ answered: true, degraded: [] });
  expect(message?.id).toBe(Object(message?.metadata).requestId);
  expect(message?.parts.map(({ type }) => type)).toEqual([
    "data-retrieval",
    "source-url",
    "source-url",
    "step-start",
    "text",
    "data-answer",
  ]);
});

test("the AI SDK shows a refusal's text", async () => {
  await expect(chat({})).rejects.toThrow(/queryText/);
});

test("the text is the same with and without streaming, whatever the model writes", async () => {
  for (const text of [
    ANSWER,
    "<think>Is it [2]?</think>It is open on Monday [2].",
    "See https://norte.example/return today. Send it back. [1]",
    "Steps:\n\n1. Pack it [1].\n2. Send it [1, 7].\n\n```\nx[7]. y\n```\nDone ![x](https://evil.example/x.png).",
    "I do not know.",
    "[7]",
    "<!doctype html><h1>Bad gateway. Now.",
    "word [1]. ".repeat(900),
    "",
  ]) {
    answer = text;
    const json = await jsonOf(ASKED);
    const { texts, message } = await chat();
    expect(texts.at(-1)).toBe(json.aiGeneratedAnswer);
    const data = message?.parts.find(({ type }) => type === "data-answer");
    expect(data).toMatchObject({ data: { aiGeneratedAnswer: json.aiGeneratedAnswer } });
  }
});

test.each(["stall", "cut-stream", "error-event"] as const)(
  "a model that fails in the middle (%s) is reset, and the fallback answers",
  async (kind) => {
    provider.fail({ kind, words: WORDS });
    const { texts, message, errors } = await chat();
    expect(texts).toContain("Send the router back within 14 days [1].");
    expect(texts.at(-1)).toMatch(EXTRACTIVE);
    expect(message?.metadata).toMatchObject({ answered: true, degraded: ["generation"] });
    expect(message?.parts.filter(({ type }) => type === "source-url")).toHaveLength(2);
    expect(errors).toEqual([]);
    expect(await provider.calls[0]?.aborted).toBe(kind !== "error-event");
  },
);

test.each([{ kind: "status", status: 500 } as const, { kind: "html" } as const, { kind: "empty-answer" } as const])(
  "a model that fails before its first word (%o) costs no reset",
  async (fault) => {
    provider.fail(fault);
    const parts = await partsOf(await send(ASKED, STREAM));
    expect(parts.map(({ type }) => type)).not.toContain("reset-step");
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { degraded: ["generation"] } });
  },
);

test("results and first sentences arrive before the model ends", async () => {
  provider.fail({ kind: "stall", words: WORDS });
  const response = await send(ASKED, STREAM);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes("14 days [1].")) read += (await reader?.read())?.value ?? "";
  expect(read).toContain("data-retrieval");
  expect(read).not.toContain("finish");
  await reader?.cancel();
});

test("the model's request ends when the caller leaves, and the log says so", async () => {
  provider.fail({ kind: "stall", words: WORDS });
  const caller = new AbortController();
  const response = await send(ASKED, STREAM, caller.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  await vi.waitUntil(() => provider.calls.length > 0);
  const requestId = response.headers.get("x-request-id") ?? "";
  caller.abort();
  expect(await provider.calls[0]?.aborted).toBe(true);
  await vi.waitUntil(async () => (await logged(requestId)) !== null);
  // a model that is given up for its pause would be followed by the fallback, and logged as 200
  expect(await logged(requestId)).toMatchObject({ statusCode: 400, error: expect.stringContaining("closed") });
});

function logged(requestId: string) {
  return getRequest(scope, SYSTEM_ACTOR, requestId).catch(() => null);
}

test("a stream is logged at its end as JSON is", async () => {
  const json = await jsonOf(ASKED);
  const response = await send(ASKED, STREAM);
  await response.text();
  const [streamed, whole] = [await logged(response.headers.get("x-request-id") ?? ""), await logged(json.requestId)];
  const { id: _, at: _at, durationMs, stages, trace, ...row } = streamed ?? {};
  const {
    id: _other,
    at: _otherAt,
    durationMs: _ms,
    stages: otherStages,
    trace: otherTrace,
    ...otherRow
  } = whole ?? {};
  expect(row).toEqual(otherRow);
  expect(row).toMatchObject({ statusCode: 200, answered: true, total: 2 });
  expect(Object.keys(stages ?? {})).toEqual(Object.keys(otherStages ?? {}));
  expect(Object.keys(trace ?? {})).toEqual(Object.keys(otherTrace ?? {}));
  expect(durationMs).toBeGreaterThanOrEqual(0);
});

test("a reader that stops reading delays neither the model nor the log", async () => {
  const response = await send(ASKED, STREAM);
  await vi.waitUntil(async () => (await logged(response.headers.get("x-request-id") ?? "")) !== null);
  expect((await partsOf(response)).at(-1)).toMatchObject({ type: "finish" });
});

test("an answer that is refused by the key's policy is JSON", async () => {
  const { token: narrow } = await createKey(scope, CLI_ACTOR, { name: "No answers", policy: { answers: false } });
  const response = await send(ASKED, { ...STREAM, Authorization: `Bearer ${narrow}` });
  expect([response.status, (await response.json()).error]).toEqual([403, "Forbidden"]);
});
