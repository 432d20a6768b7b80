import { expect, test, vi } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { budgets } from "../ai/remote/resilience.ts";
import { answerByProvider } from "../testing/answer-model.ts";
import { testDatabase } from "../testing/database.ts";
import { ASKED, partsOf, STREAM, streamingCompany } from "../testing/streaming-company.ts";

testDatabase();
const company = streamingCompany(POST);

const EXTRACTIVE = /^Send the router back within 14 days\. \[1\]/;
/** Words of the answer's first sentence and of the beginning of the second. */
const WORDS = 11;

test.each(["stall", "cut-stream", "error-event"] as const)(
  "a model that fails in the middle (%s) is reset, and the fallback answers",
  async (kind) => {
    company.provider.fail({ kind, words: WORDS });
    answerByProvider(company.provider.url, { budget: { ...budgets.answer, idleMs: 400 } });
    const { texts, message, errors } = await company.chat();
    expect(texts).toContain("Send the router back within 14 days [1].");
    expect(texts.at(-1)).toMatch(EXTRACTIVE);
    expect(message?.metadata).toMatchObject({ answered: true, degraded: ["generation"] });
    expect(message?.parts.filter(({ type }) => type === "source-url")).toHaveLength(2);
    expect(errors).toEqual([]);
    expect(await company.provider.calls[0]?.aborted).toBe(kind !== "error-event");
  },
);

test.each([{ kind: "status", status: 500 } as const, { kind: "html" } as const, { kind: "empty-answer" } as const])(
  "a model that fails before its first word (%o) costs no reset",
  async (fault) => {
    company.provider.fail(fault);
    const parts = await partsOf(await company.send(ASKED, STREAM));
    expect(parts.map(({ type }) => type)).not.toContain("reset-step");
    expect(parts.at(-1)).toMatchObject({ messageMetadata: { degraded: ["generation"] } });
  },
);

test("results and first sentences arrive before the model ends", async () => {
  company.provider.fail({ kind: "stall", words: WORDS });
  const response = await company.send(ASKED, STREAM);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  for (let hasEnded = false; !hasEnded && !read.includes("14 days [1]."); ) {
    const part = await reader?.read();
    hasEnded = part?.done ?? true;
    read += part?.value ?? "";
  }
  expect(read).toContain("14 days [1].");
  expect(read).toContain("data-retrieval");
  expect(read).not.toContain("finish");
  await reader?.cancel();
});

test("the model's request ends when the caller leaves, and the log says so", async () => {
  company.provider.fail({ kind: "stall", words: WORDS });
  const caller = new AbortController();
  const response = await company.send(ASKED, STREAM, caller.signal);
  const reader = response.body?.getReader();
  await reader?.read();
  await vi.waitUntil(() => company.provider.calls.length > 0, 20_000);
  const requestId = response.headers.get("x-request-id") ?? "";
  caller.abort();
  expect(await company.provider.calls[0]?.aborted).toBe(true);
  await vi.waitUntil(async () => (await company.logged(requestId)) !== null, 20_000);
  // a model that is given up for its pause would be followed by the fallback, and logged as 200
  expect(await company.logged(requestId)).toMatchObject({ statusCode: 400, error: expect.stringContaining("closed") });
});

test("a reader that stops reading delays neither the model nor the log", async () => {
  const response = await company.send(ASKED, STREAM);
  await vi.waitUntil(async () => (await company.logged(response.headers.get("x-request-id") ?? "")) !== null, 20_000);
  expect((await partsOf(response)).at(-1)).toMatchObject({ type: "finish" });
});
