import { expect, test } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { ANSWER, ASKED, partsOf, STREAM, streamingCompany } from "../testing/streaming-company.ts";

testDatabase();
const company = streamingCompany(POST);

/** The answer without the citation of a chunk that does not exist. */
const CHECKED =
  "Send the router back within 14 days [1]. We pay the postage [1]. See https://norte.example/return [1].";

test("the stream has the documented parts in their order, and the headers that proxies need", async () => {
  const response = await company.send(ASKED, STREAM);
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
  const { results, total } = await company.jsonOf(ASKED);
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
  const parts = await partsOf(await company.send({ queryText: ASKED.queryText }, STREAM));
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
  const response = await company.send({ queryText: ASKED.queryText }, accept === undefined ? {} : { Accept: accept });
  await response.body?.cancel();
  expect(response.headers.get("content-type")).toBe(isStream ? "text/event-stream" : "application/json");
});

test.each([
  [{}, {}, 422, "ValidationError"],
  [ASKED, { Authorization: "Bearer none" }, 401, "Unauthorized"],
  [ASKED, { "Content-Type": "text/plain" }, 415, "UnsupportedMediaType"],
])("a refusal before the first byte is the usual JSON", async (body, headers, status, error) => {
  const response = await company.send(body, { ...STREAM, ...headers });
  expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
  expect(await response.json()).toMatchObject({ statusCode: status, error });
});

test("the AI SDK reads sources, data, text and metadata", async () => {
  const { message, texts, errors } = await company.chat();
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
  await expect(company.chat({})).rejects.toThrow(/queryText/);
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
    company.answer(text);
    const json = await company.jsonOf(ASKED);
    const { texts, message } = await company.chat();
    expect(texts.at(-1)).toBe(json.aiGeneratedAnswer);
    const data = message?.parts.find(({ type }) => type === "data-answer");
    expect(data).toMatchObject({ data: { aiGeneratedAnswer: json.aiGeneratedAnswer } });
  }
});

test("a stream is logged at its end as JSON is", async () => {
  const json = await company.jsonOf(ASKED);
  const response = await company.send(ASKED, STREAM);
  await response.text();
  const [streamed, whole] = [
    await company.logged(response.headers.get("x-request-id") ?? ""),
    await company.logged(json.requestId),
  ];
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

test("an answer that is refused by the key's policy is JSON", async () => {
  const { token: narrow } = await createKey(company.scope, CLI_ACTOR, {
    name: "No answers",
    policy: { answers: false },
  });
  const response = await company.send(ASKED, { ...STREAM, Authorization: `Bearer ${narrow}` });
  expect([response.status, (await response.json()).error]).toEqual([403, "Forbidden"]);
});
