import { RunnableLambda, RunnableSequence } from "@langchain/core/runnables";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { startApiServer } from "../../bench/soak/api-server.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { routeServer } from "../testing/serve-route.ts";
import { ragstoneTool } from "./ai.ts";
import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  Ragstone,
  type StreamPart,
  ValidationError,
} from "./index.ts";
import { RagstoneRetriever } from "./langchain.ts";

testDatabase();
const serve = routeServer();

const REFUNDS = {
  sourceType: "document",
  sourceId: "help/refunds.md",
  title: "Refunds",
  content: "You get your money back within 14 days.",
  metadata: { url: "https://norte.example/refunds" },
} as const;
const QUESTION = "When do I get my money back?";

let web: WebServer;
let scope: TenantScope;
let token: string;
let client: Ragstone;

beforeAll(async () => {
  web = await startApiServer();
  scope = await newCompany();
  ({ token } = await createKey(scope, SYSTEM_ACTOR, { name: "Client", scopes: ["retrieve", "manage"] }));
  client = new Ragstone({ apiKey: token, baseUrl: web.address() });
});
afterAll(() => web.close(0));

describe("the client, against the routes of the API", () => {
  test("describes its key", async () => {
    expect(await client.status()).toMatchObject({ status: "ok", apiKey: { name: "Client" } });
    const wrong = new Ragstone({ apiKey: "ragstone_live_wrong", baseUrl: web.address() });
    await expect(wrong.status()).rejects.toBeInstanceOf(AuthenticationError);
  });

  test("puts a source, waits for it, finds it, labels it, deletes it and restores it", async () => {
    const { data: put, response } = await client.sources.put(REFUNDS).withResponse();
    expect([put.unchanged, put.status, response.status]).toEqual([false, "processing", 202]);
    const waiting = client.sources.waitUntilReady(put.id);
    await work(scope);
    expect(await waiting).toMatchObject({ sourceId: REFUNDS.sourceId, status: "ready", chunks: 1 });
    expect(await client.sources.put(REFUNDS)).toEqual({ ...put, unchanged: true, status: "ready" });
    expect((await client.retrieve({ queryText: QUESTION })).results[0]?.payload.content).toContain("14 days");

    const labelled = await client.sources.update(put.id, { contentCategory: "money" }, { ifMatch: put.versionId });
    expect(labelled).toMatchObject({ id: put.id, unchanged: false });
    await expect(client.sources.put({ ...REFUNDS, title: "Money" }, { ifMatch: put.versionId })).rejects.toBeInstanceOf(
      PreconditionFailedError,
    );
    expect(await client.sources.text(put.id)).toContain("14 days");
    await expect(client.sources.original(put.id)).rejects.toBeInstanceOf(NotFoundError);
    expect(await client.sources.reindex(put.id)).toMatchObject({ id: put.id });
    await work(scope);

    expect(await client.sources.delete(put.id)).toEqual({ id: put.id, sourceId: REFUNDS.sourceId });
    await expect(client.sources.delete(put.id)).rejects.toBeInstanceOf(NotFoundError);
    expect(await client.sources.restore(put.id)).toEqual({ id: put.id, sourceId: REFUNDS.sourceId });
    await expect(client.sources.restore(put.id)).rejects.toBeInstanceOf(ConflictError);
  });

  test("puts files and questions", async () => {
    const file = new Blob(["# Opening hours\n\nWe open at nine."]);
    const audience = ["copilot", "ai_agent"];
    const put = await client.sources.putFile({
      sourceId: "a b/hours&.md",
      file,
      audience,
      path: ["A/B", "C"],
      metadata: { page: 3 },
    });
    const questions = await client.sources.putQuestions({
      sourceId: "faq.csv",
      file: "question,answer,sourceId\nIs there parking?,Behind the house.,parking\nNo answer,,\n",
    });
    expect(questions).toMatchObject({
      accepted: [{ row: 2, sourceId: "parking" }],
      failed: [{ row: 3, issues: [{ message: expect.any(String) }] }],
    });
    await work(scope);
    const ready = await client.sources.waitUntilReady(put.id);
    expect(ready).toMatchObject({ title: "Opening hours", audience, path: ["A/B", "C"], metadata: { page: 3 } });
    expect(await (await client.sources.original(put.id)).text()).toBe(await file.text());
  });

  test("puts files and questions with labels that are too long for a query string", async () => {
    const labels = { audience: [], path: ["A/B"], metadata: { note: "Ж".repeat(2_800) } };
    const { id } = await client.sources.putFile({ sourceId: "long.md", file: "# Marl", ...labels });
    expect(await client.sources.get(id)).toMatchObject({ sourceId: "long.md", ...labels });
    expect(await (await client.sources.original(id)).text()).toBe("# Marl");
    const path = Array.from({ length: 20 }, () => "Ж".repeat(200));
    const file = "question,answer\nWhat is marl?,A mudstone.\n";
    const { accepted } = await client.sources.putQuestions({ sourceId: "long.csv", file, path });
    expect(await client.sources.get(accepted[0]?.id ?? "")).toMatchObject({ sourceType: "qa", path });
  });

  test("puts a file that requests with an audience filter do not find", async () => {
    const { id } = await client.sources.putFile({ sourceId: "hidden.txt", file: "Text", audience: [], path: [] });
    expect(await client.sources.get(id)).toMatchObject({ audience: [], path: [] });
    await client.sources.putFile({ sourceId: "hidden.txt", file: "Text", audience: ["staff"], path: ["HR"] });
    await client.sources.putFile({ sourceId: "hidden.txt", file: "Text", audience: [], path: [] });
    expect(await client.sources.get(id)).toMatchObject({ audience: [], path: [] });
  });

  test("sends a batch, compares, lists page by page, and deletes the confirmed number", async () => {
    const sources = ["b/1", "b/2", "b/3"].map((sourceId) => ({ ...REFUNDS, sourceId, content: `Granite ${sourceId}` }));
    const { accepted, failed } = await client.sources.batch([...sources, { ...REFUNDS, sourceId: "" }]);
    expect(accepted.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(failed).toEqual([{ index: 3, issues: [{ path: "sourceId", message: "must not be empty" }] }]);
    await expect(client.sources.batch([{ ...REFUNDS, sourceId: "" }])).rejects.toBeInstanceOf(ValidationError);
    await work(scope);

    const sha256 = "0".repeat(64);
    const compared = await client.sources.diff({ prefix: "b/", sources: [{ sourceId: "b/1", sha256 }] });
    expect(compared).toMatchObject({ missing: [], changed: ["b/1"], extra: ["b/2", "b/3"] });
    const listed: string[] = [];
    for await (const { sourceId } of client.sources.list({ prefix: "b/", limit: 1 })) listed.push(sourceId);
    expect(listed.sort()).toEqual(["b/1", "b/2", "b/3"]);

    const unconfirmed = client.sources.deleteMany({ prefix: "b/", except: ["b/1"], confirm: 1 });
    await expect(unconfirmed).rejects.toMatchObject({ name: "ValidationError", body: { confirm: 2 } });
    const { deleted } = await client.sources.deleteMany({ prefix: "b/", except: ["b/1"], confirm: 2 });
    expect(deleted.sort()).toEqual(["b/2", "b/3"]);
  });

  test("says which scope a key lacks", async () => {
    const { token: other } = await createKey(scope, SYSTEM_ACTOR, { name: "Asks" });
    const asks = new Ragstone({ apiKey: other, baseUrl: web.address() });
    const error = await asks.sources.put(REFUNDS).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(PermissionError);
    expect(error).toMatchObject({ error: "Forbidden", body: { requiredScope: "ingest" } });
  });

  test("waits no longer for a source that failed", async () => {
    const { id } = await client.sources.putFile({ sourceId: "broken.pdf", file: "this is no PDF" });
    await work(scope);
    await expect(client.sources.waitUntilReady(id)).rejects.toThrow(/^broken\.pdf is failed: /);
  });

  test("streams results and answer", async () => {
    const { origin } = new URL(await serve(POST));
    const parts: StreamPart[] = [];
    for await (const part of new Ragstone({ apiKey: token, baseUrl: origin }).stream({ queryText: QUESTION }))
      parts.push(part);
    const text = parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
    expect(parts.find(({ type }) => type === "data-answer")).toMatchObject({ data: { aiGeneratedAnswer: text } });
    expect(parts.at(-1)).toMatchObject({ type: "finish", messageMetadata: { answered: true, degraded: [] } });
  });
});

describe("the peers", () => {
  test("the AI SDK's model gets numbered results, and the application gets the results", async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: [
        {
          content: [
            { type: "tool-call", toolCallId: "1", toolName: "search", input: JSON.stringify({ query: QUESTION }) },
          ],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: "text", text: "Within 14 days [1]." }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    const tools = { search: ragstoneTool(client, { limit: 1 }) };
    const { text, steps } = await generateText({ model, prompt: QUESTION, tools, stopWhen: stepCountIs(2) });
    expect(text).toBe("Within 14 days [1].");
    expect(steps[0]?.toolResults[0]?.output).toMatchObject({ total: 1, results: [{ payload: { title: "Refunds" } }] });
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain(
      String.raw`[1] Refunds\nYou get your money back within 14 days.`,
    );
  });

  test("LangChain's chains get documents with their sources", async () => {
    const retriever = new RagstoneRetriever({ client, filters: { path: [] }, limit: 1 });
    const first = RunnableLambda.from(([best]: Awaited<ReturnType<typeof retriever.invoke>>) => best);
    const best = await RunnableSequence.from([retriever, first]).invoke(QUESTION);
    expect(best).toMatchObject({
      pageContent: REFUNDS.content,
      metadata: {
        source: REFUNDS.metadata.url,
        title: "Refunds",
        sourceId: REFUNDS.sourceId,
        score: expect.any(Number),
      },
    });
  });
});
