import { MockLanguageModelV4 } from "ai/test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "../log.ts";
import { returnValueOf } from "../return-value-of.ts";
import { startProviderServer } from "../testing/provider-server.ts";
import { streamAnswer } from "./answer.ts";
import { createExtractiveModel } from "./local/extractive-model.ts";
import { createRemoteAnswerModel } from "./remote/openai.ts";
import { ProviderError } from "./remote/provider-error.ts";
import { budgets } from "./remote/resilience.ts";

const results = [
  {
    title: "Router",
    path: ["Help"],
    content: "Send the router back within 14 days. See https://norte.example/return.",
    sourceType: "document",
    score: 0.8,
    metadata: { headings: ["Returning the router"] },
  },
  { title: "Hours", path: [], content: "We are open on Monday.", sourceType: "document", score: 0.5, metadata: {} },
];
const request = {
  fallback: createExtractiveModel(),
  question: "When must I send the router back?",
  language: "en" as const,
  results,
  context: { clientName: "Ada Rossi", clientLogs: "secret log line" },
};
const extractive = "Send the router back within 14 days. [1] See https://norte.example/return. [1]";

function generateAnswer(request: Omit<Parameters<typeof streamAnswer>[0], "streamed">) {
  return returnValueOf(streamAnswer({ ...request, streamed: false }));
}

function modelThat(
  answer: string | (() => never),
  finishReason: "stop" | "length" | "error" | "content-filter" = "stop",
) {
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: "text", text: typeof answer === "string" ? answer : answer() }],
      finishReason: { unified: finishReason, raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  });
}

function promptOf(model: MockLanguageModelV4): { system: string; user: string } {
  const [call] = model.doGenerateCalls;
  const text = (role: "system" | "user") =>
    JSON.stringify(call?.prompt.find((message) => message.role === role)?.content);
  return { system: text("system"), user: text("user") };
}

const warn = vi.spyOn(log(), "warn").mockImplementation(() => {});
beforeEach(() => warn.mockClear());

describe("an answer by a language model", () => {
  it("sends one request with rules, chunks, headings and context, each in its place", async () => {
    const model = modelThat("Within 14 days [1].");
    const answer = await generateAnswer({ ...request, model });
    expect(answer).toEqual({
      answer: "Within 14 days [1].",
      kept: "Within 14 days [1].",
      supported: true,
      truncatedFields: [],
      degraded: false,
      dropped: [],
    });
    expect(model.doGenerateCalls).toHaveLength(1);
    const { system, user } = promptOf(model);
    expect(system).not.toMatch(/Ada|14 days|send the router/);
    for (const part of ["Path: Help > Returning the router", "14 days", "Ada Rossi", "send the router"])
      expect(user).toContain(part);
  });

  it("puts a new token in every request", async () => {
    const [first, second] = [modelThat("a [1]"), modelThat("a [1]")];
    await generateAnswer({ ...request, model: first });
    await generateAnswer({ ...request, model: second });
    expect(promptOf(first).system).not.toBe(promptOf(second).system);
  });

  it("checks citations and links", async () => {
    const model = modelThat(
      "Within 14 days [1, 9], see [this](https://evil.example/?q=1) ![x](https://evil.example/x.png).",
    );
    expect((await generateAnswer({ ...request, model })).answer).toBe("Within 14 days [1], see this x.");
  });

  it("is unsupported when it cites nothing", async () => {
    expect(await generateAnswer({ ...request, model: modelThat("I do not know.") })).toMatchObject({
      supported: false,
    });
  });

  it("names the context fields that were cut", async () => {
    const context = { clientLogs: "x".repeat(20_000), clientName: "Ada" };
    expect((await generateAnswer({ ...request, context, model: modelThat("a [1]") })).truncatedFields).toEqual([
      "clientLogs",
    ]);
  });
});

describe("the fallback", () => {
  it.each([
    [
      "fails",
      modelThat(() => {
        throw new ProviderError("fault", "The provider failed with status 500");
      }),
    ],
    ["says nothing", modelThat(" \n")],
    ["cites only what does not exist", modelThat("[7]")],
    ["returns a web page", modelThat("<!DOCTYPE html><html><body>Bad gateway</body></html>")],
    ["runs on and on", modelThat("word [1] ".repeat(5_000))],
    ["is filtered", modelThat("", "content-filter")],
    ["ends in error", modelThat("Within", "error")],
  ])("answers when the model %s", async (_, model) => {
    expect(await generateAnswer({ ...request, model })).toEqual({
      answer: extractive,
      kept: extractive,
      supported: true,
      truncatedFields: [],
      degraded: true,
      dropped: [],
    });
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it("answers after a time limit, but not when the caller has left", async () => {
    const hanging = new MockLanguageModelV4({
      doGenerate: ({ abortSignal }) =>
        new Promise((_, reject) => {
          if (abortSignal?.aborted) reject(abortSignal.reason);
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
        }),
    });
    const late = generateAnswer({ ...request, model: hanging, signal: AbortSignal.timeout(5) });
    expect(await late).toMatchObject({ answer: extractive, degraded: true });

    const leaving = new AbortController();
    const left = generateAnswer({ ...request, model: hanging, signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
  });

  it("ends the request of a model whose text is unusable", async () => {
    const server = await startProviderServer({ answer: () => "<html> Bad gateway" });
    server.fail({ kind: "stall" });
    const model = createRemoteAnswerModel({ apiKey: null, baseUrl: `${server.url}/v1`, model: "remote" });
    const started = performance.now();
    const answer = await returnValueOf(streamAnswer({ ...request, model, streamed: true }));
    expect(answer).toMatchObject({ answer: extractive, degraded: true });
    expect(await server.calls[0]?.aborted).toBe(true);
    expect(performance.now() - started).toBeLessThan(budgets.answer.idleMs / 2);
    await server.close();
  });

  it("logs the reason, but nothing from the question, the chunks or the context", async () => {
    const leak = modelThat(() => {
      throw Object.assign(new Error(`bad request: secret log line ${request.question}`), {
        requestBodyValues: request,
      });
    });
    await generateAnswer({ ...request, model: leak });
    expect(warn).toHaveBeenCalledOnce();
    expect(JSON.stringify(warn.mock.calls)).not.toMatch(/secret|Ada|router/);
  });
});

describe("when every model fails", () => {
  const refusal = "I could not find an answer to this question in the knowledge base.";
  const thrown: [string, unknown][] = [
    ["an error of the provider", new ProviderError("fault", "away")],
    ["an error", new TypeError("x is undefined")],
    ["a time limit", new DOMException("late", "TimeoutError")],
    ["an abort that nobody asked for", new DOMException("aborted", "AbortError")],
    ["a string", "broken"],
    ["an object", { status: 500 }],
    ["null", null],
    ["undefined", undefined],
  ];

  it.each(thrown)("returns the refusal to the caller: %s", async (_, reason) => {
    const failing = () =>
      modelThat(() => {
        throw reason;
      });
    const rest = { supported: false, truncatedFields: [], degraded: true, dropped: [] };
    const expected = { answer: refusal, kept: refusal, ...rest };
    expect(await generateAnswer({ ...request, model: failing(), fallback: null })).toEqual(expected);
    expect(await generateAnswer({ ...request, model: failing(), fallback: failing() })).toEqual(expected);
    expect(warn).toHaveBeenCalledTimes(3);
  });
});

describe("without results", () => {
  it("refuses in the language of the question and calls no model", async () => {
    const model = modelThat("invented");
    const answer = await generateAnswer({
      ...request,
      question: "Quanto costa il trasloco?",
      language: "it",
      results: [],
      model,
    });
    expect(answer.answer).toBe("Non ho trovato una risposta a questa domanda nella base di conoscenza.");
    expect(answer).toMatchObject({ supported: false, degraded: false, truncatedFields: [] });
    expect(model.doGenerateCalls).toHaveLength(0);
  });
});

describe("the preferences of a company", () => {
  const preferences = { style: "short", language: "it", refusal: "Ask our service desk." } as const;

  it("name length and language in the prompt", async () => {
    const model = modelThat("Within 14 days [1].");
    expect(await generateAnswer({ ...request, model, preferences })).toMatchObject({ answer: "Within 14 days [1]." });
    const { system } = promptOf(model);
    expect(system).toContain("Write in Italian");
    expect(system).toContain("one or two short sentences");
  });

  it("replace every refusal, even one that a model wrote", async () => {
    const refused = { answer: preferences.refusal, supported: false };
    const model = modelThat("I do not know.");
    expect(await generateAnswer({ ...request, model, preferences })).toMatchObject(refused);
    expect(await generateAnswer({ ...request, model, preferences, results: [] })).toMatchObject(refused);
    const question = "Who painted the moon?";
    const local = { ...request, question, model: createExtractiveModel(), fallback: null };
    expect(await generateAnswer({ ...local, preferences })).toMatchObject(refused);
  });

  it("let the local model quote a web page", async () => {
    const content = "<body> holds the visible part of a page.";
    const page = results.slice(0, 1).map((result) => ({ ...result, title: "HTML", content }));
    const question = "What does <body> hold?";
    const local = { ...request, question, results: page, model: createExtractiveModel(), fallback: null };
    expect(await generateAnswer(local)).toMatchObject({
      supported: true,
      answer: expect.stringContaining("visible part"),
    });
  });

  it("shorten the answer of the local model to its best sentence", async () => {
    const local = { ...request, model: createExtractiveModel(), fallback: null };
    expect(await generateAnswer({ ...local, preferences: { style: "full" } })).toMatchObject({ answer: extractive });
    const short = await generateAnswer({ ...local, preferences: { style: "short" } });
    expect(short.answer).toBe("Send the router back within 14 days. [1]");
  });
});
