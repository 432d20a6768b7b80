import { generateText, streamText } from "ai";
import { describe, expect, it } from "vitest";
import type { Language } from "../../language/language.ts";
import { createExtractiveModel } from "./extractive-model.ts";
import { cachedByCompany } from "./vector-cache.ts";

const chunks = [
  {
    title: "Router",
    path: [],
    sourceType: "document",
    score: 0.8,
    content: "Send the router back within 14 days. It is ours.",
  },
];
const providerOptions = { ragstone: { question: "When must I send the router back?", language: "en", chunks } };
const call = { model: createExtractiveModel(), prompt: "unused", providerOptions, maxRetries: 0 };

describe("the extractive model", () => {
  it("generates through the SDK", async () => {
    const { text, finishReason } = await generateText(call);
    expect(text).toBe("Send the router back within 14 days. [1] It is ours. [1]");
    expect(finishReason).toBe("stop");
  });

  it("streams the same text in pieces", async () => {
    const deltas: string[] = [];
    for await (const delta of streamText(call).textStream) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Send the router back within 14 days. [1] It is ours. [1]");
  });

  it("answers by terms alone while the embedding model fails", async () => {
    const model = createExtractiveModel({ embedFor: () => () => Promise.reject(new Error("away")) });
    expect((await generateText({ ...call, model })).text).toContain("14 days");
  });

  it("remembers the vectors of a company's texts", async () => {
    const embedded: string[][] = [];
    const embed = async (texts: string[]) => {
      embedded.push(texts);
      return texts.map(() => [1, 0]);
    };
    const model = createExtractiveModel({ embedFor: cachedByCompany(embed) });
    const ask = (companyId: string) =>
      generateText({ ...call, model, providerOptions: { ragstone: { ...providerOptions.ragstone, companyId } } });
    await ask("a");
    expect(embedded).toHaveLength(1);
    const { text } = await ask("a");
    expect(embedded).toHaveLength(1);
    expect(text).toContain("14 days");
    await ask("b");
    expect(embedded[1]).toEqual(embedded[0]);
  });

  it("remembers no vector without a company, or the time of an answer would tell what another company asked", async () => {
    const embedded: string[][] = [];
    const embed = async (texts: string[]) => {
      embedded.push(texts);
      return texts.map(() => [1, 0]);
    };
    const model = createExtractiveModel({ embedFor: cachedByCompany(embed) });
    await generateText({ ...call, model });
    await generateText({ ...call, model });
    expect(embedded[0]).not.toEqual([]);
    expect(embedded[1]).toEqual(embedded[0]);
  });

  it("refuses in the language of the question, else in that of the knowledge", async () => {
    const ask = async (question: string, language: Language | null, content: string) => {
      const ragstone = {
        question,
        language,
        chunks: [{ title: "", path: [], sourceType: "document", score: 1, content }],
      };
      return (await generateText({ ...call, providerOptions: { ragstone } })).text;
    };
    expect(await ask("Chi ha vinto il campionato di calcio?", "it", "The router is ours and must come back.")).toMatch(
      /^Non ho/,
    );
    expect(await ask("XK-200?", null, "Der Router gehört uns und kommt nach dem Ende des Vertrags zurück.")).toMatch(
      /^Auf diese/,
    );
  });

  it("names the missing options when it is called without chunks", async () => {
    await expect(generateText({ ...call, providerOptions: {} })).rejects.toThrow("providerOptions.ragstone");
  });

  it("stops when the caller aborts", async () => {
    await expect(generateText({ ...call, abortSignal: AbortSignal.abort() })).rejects.toThrow("aborted");
  });
});
