import type { LanguageModelV4 } from "@ai-sdk/provider";
import { generateText, streamText } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, LONG_TIMES, SHORT_TIMES } from "../../testing/provider-failure.ts";
import { type Fault, type ProviderServer, startProviderServer } from "../../testing/provider-server.ts";
import { createRemoteAnswerModel } from "./openai.ts";
import { budgets } from "./resilience.ts";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

describe("remote answers", () => {
  const answerModel = (times: Partial<typeof budgets.answer> = LONG_TIMES) =>
    createRemoteAnswerModel({
      apiKey: null,
      baseUrl: `${server.url}/v1`,
      model: "gpt-4.1-mini",
      budget: { ...budgets.answer, idleMs: 20_000, ...times },
    });
  const ask = (model = answerModel()) => generateText({ model, prompt: "When does it end?", maxRetries: 0 });

  it("use chat completions", async () => {
    expect((await ask()).text).toBe("The contract ends after 24 months [1].");
    expect(server.calls.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  });

  it("leave out the reasoning of the model", async () => {
    await server.close();
    server = await startProviderServer({ answer: () => "<think>Is it [2]? No.</think>It ends in May [1]." });
    expect((await ask()).text).toBe("It ends in May [1].");
    await server.close();
    server = await startProviderServer({ answer: () => "<think>I do not know.</think>" });
    expect((await failureOf(ask())).failure).toBe("invalid");
  });

  it.each<[Fault, string, number]>([
    [{ kind: "empty-answer" }, "invalid", 1],
    [{ kind: "html" }, "invalid", 1],
    [{ kind: "garbage" }, "invalid", 1],
    [{ kind: "cut" }, "network", 2],
    [{ kind: "status", status: 500 }, "fault", 2],
    [{ kind: "status", status: 401 }, "refused", 1],
  ])("fail on %o as %s", async (fault, failure, attempts) => {
    server.fail(fault);
    expect((await failureOf(ask())).failure).toBe(failure);
    expect(server.calls).toHaveLength(attempts);
  });

  it("are aborted when the budget is used up", async () => {
    server.fail({ kind: "hang" });
    expect((await failureOf(ask(answerModel(SHORT_TIMES)))).failure).toBe("timeout");
    expect(await server.calls[0]?.aborted).toBe(true);
  });

  it("stream", async () => {
    const { textStream } = streamText({ model: answerModel(), prompt: "When?", maxRetries: 0 });
    const words: string[] = [];
    await collect(textStream, words);
    expect(words.join("")).toBe("The contract ends after 24 months [1].");
  });

  it.each<Fault>([{ kind: "cut-stream" }, { kind: "error-event" }])(
    "are paused after five streams that fail in the middle by %o",
    async (fault) => {
      server.fail(fault);
      const model = answerModel();
      for (let i = 0; i < 5; i++) await expect(partsOf(model)).rejects.toBeDefined();
      expect((await failureOf(partsOf(model))).failure).toBe("open");
      expect(server.calls).toHaveLength(5);
    },
  );

  it("are not paused because readers leave", async () => {
    const model = answerModel();
    for (let i = 0; i < 6; i++) {
      const { stream } = await model.doStream({
        prompt: [{ role: "user", content: [{ type: "text", text: "When?" }] }],
      });
      await stream.cancel();
    }
    expect(server.calls).toHaveLength(6);
  });

  it("end a stream that stalls and close its connection", async () => {
    server.fail({ kind: "stall" });
    const { textStream } = streamText({
      model: answerModel({ ...LONG_TIMES, idleMs: 1_000 }),
      prompt: "When?",
      maxRetries: 0,
      onError: () => undefined,
    });
    const words: string[] = [];
    const error = await failureOf(collect(textStream, words));
    expect(words).toEqual(["The "]);
    expect(error.failure).toBe("timeout");
    expect(await server.calls[0]?.aborted).toBe(true);
  });
});

/** Reads all parts of a stream. @throws the error that is one of them */
async function partsOf(model: LanguageModelV4): Promise<void> {
  const { stream } = streamText({ model, prompt: "When?", maxRetries: 0, onError: () => undefined });
  for await (const part of stream) if (part.type === "error") throw part.error;
}

async function collect(stream: AsyncIterable<string>, into: string[]): Promise<void> {
  for await (const word of stream) into.push(word);
}
