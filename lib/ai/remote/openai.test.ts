import { embed, embedMany } from "ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf, LONG_TIMES, SHORT_TIMES } from "../../testing/provider-failure.ts";
import { type Fault, type ProviderServer, startProviderServer } from "../../testing/provider-server.ts";
import { createRemoteEmbeddingModel } from "./openai.ts";
import { budgets } from "./resilience.ts";

const withTimes = (times: typeof LONG_TIMES) => ({
  query: { ...budgets.query, ...times },
  ingest: { ...budgets.ingest, ...times },
});
const asQuery = { ragstone: { priority: "query" } };

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

interface Settings {
  requestDimensions?: number;
  expectedDimensions?: number | null;
  apiKey?: string;
  times?: typeof LONG_TIMES;
}

function embeddingModel({ times = LONG_TIMES, ...settings }: Settings = {}) {
  return createRemoteEmbeddingModel({
    apiKey: null,
    baseUrl: `${server.url}/v1`,
    model: "text-embedding-3-small",
    requestDimensions: null,
    expectedDimensions: 1536,
    budgets: withTimes(times),
    ...settings,
  });
}

const embedQuery = (model = embeddingModel(), abortSignal?: AbortSignal) =>
  embed({ model, value: "how do I cancel?", maxRetries: 0, providerOptions: asQuery, abortSignal });

describe("remote embeddings", () => {
  it("are unit vectors in the order of the texts, over several requests", async () => {
    const texts = Array.from({ length: 130 }, (_, i) => `text number ${i}`);
    const { embeddings } = await embedMany({ model: embeddingModel(), values: texts, maxRetries: 0 });
    expect(server.calls).toHaveLength(3);
    for (const place of [0, 64, 129]) {
      const { embedding } = await embed({ model: embeddingModel(), value: `text number ${place}`, maxRetries: 0 });
      expect(embeddings[place]).toEqual(embedding);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 6);
    }
  });

  it("follow the index numbers of the response, not its order", async () => {
    const values = ["one", "two", "three"];
    const straight = await embedMany({ model: embeddingModel(), values, maxRetries: 0 });
    server.fail({ kind: "shuffled" });
    const shuffled = await embedMany({ model: embeddingModel(), values, maxRetries: 0 });
    expect(shuffled.embeddings).toEqual(straight.embeddings);
  });

  it("send the API key, or the word none, and the configured dimensions", async () => {
    await embedQuery();
    expect(server.calls[0]?.headers.authorization).toBe("Bearer none");
    expect(server.calls[0]?.body).not.toHaveProperty("dimensions");
    const small = embeddingModel({ apiKey: "sk-secret", requestDimensions: 256, expectedDimensions: 256 });
    expect((await embedQuery(small)).embedding).toHaveLength(256);
    expect(server.calls[1]?.headers.authorization).toBe("Bearer sk-secret");
  });

  it("learn their length from the first response when it is not configured", async () => {
    const unknown = embeddingModel({ expectedDimensions: null });
    expect((await embedQuery(unknown)).embedding).toHaveLength(1536);
    server.fail({ kind: "wrong-length" });
    expect((await failureOf(embedQuery(unknown))).message).toContain("EMBEDDING_DIMENSIONS");
  });

  it.each<[Fault, string]>([
    [{ kind: "nan" }, "invalid"],
    [{ kind: "overflow" }, "invalid"],
    [{ kind: "null" }, "invalid"],
    [{ kind: "zero" }, "invalid"],
    [{ kind: "wrong-length" }, "invalid"],
    [{ kind: "wrong-count" }, "invalid"],
    [{ kind: "wrong-index" }, "invalid"],
    [{ kind: "html" }, "invalid"],
    [{ kind: "garbage" }, "invalid"],
    [{ kind: "huge" }, "invalid"],
    [{ kind: "status", status: 400 }, "rejected"],
    [{ kind: "status", status: 401 }, "refused"],
    [{ kind: "status", status: 404 }, "refused"],
    [{ kind: "status", status: 307, headers: { location: "http://127.0.0.1:9/v1/embeddings" } }, "refused"],
  ])("refuse %o after one attempt", async (fault, failure) => {
    server.fail(fault);
    expect((await failureOf(embedQuery())).failure).toBe(failure);
    expect(server.calls).toHaveLength(1);
  });

  it.each<[Fault, string]>([
    [{ kind: "status", status: 408 }, "fault"],
    [{ kind: "status", status: 409 }, "fault"],
    [{ kind: "status", status: 429 }, "busy"],
    [{ kind: "status", status: 500 }, "fault"],
    [{ kind: "status", status: 503 }, "fault"],
    [{ kind: "cut" }, "network"],
  ])("try once more after %o", async (fault, failure) => {
    server.fail(fault);
    expect((await failureOf(embedQuery())).failure).toBe(failure);
    expect(server.calls).toHaveLength(2);
    server.fail(fault, 1);
    expect((await embedQuery()).embedding).toHaveLength(1536);
  });

  it("are not retried after a timeout when a person waits", async () => {
    server.fail({ kind: "hang" });
    expect((await failureOf(embedQuery(embeddingModel({ times: SHORT_TIMES })))).failure).toBe("timeout");
    expect(server.calls).toHaveLength(1);
    expect(await server.calls[0]?.aborted).toBe(true);
  });

  it("fail without waiting for a timeout when the connection is refused", async () => {
    await server.close();
    expect((await failureOf(embedQuery())).failure).toBe("network");
  });

  it("are not retried when Retry-After exceeds the deadline", async () => {
    server.fail({ kind: "status", status: 429, headers: { "retry-after": "30" } });
    expect((await failureOf(embedQuery())).retryAfterMs).toBe(30_000);
    expect(server.calls).toHaveLength(1);
    server.fail({ kind: "status", status: 429, headers: { "retry-after": "0" } }, 1);
    await embedQuery();
    expect(server.calls).toHaveLength(3);
  });

  it("are retried after a timeout during ingestion", async () => {
    server.fail({ kind: "hang" });
    const model = embeddingModel({ times: SHORT_TIMES });
    await failureOf(embed({ model, value: "chunk", maxRetries: 0 }));
    expect(server.calls).toHaveLength(1 + budgets.ingest.retries);
  });

  it("are aborted immediately, on the server's side too, when the caller leaves", async () => {
    server.fail({ kind: "hang" });
    const caller = new AbortController();
    const call = embedQuery(embeddingModel(), caller.signal);
    await vi.waitFor(() => expect(server.calls).toHaveLength(1), 20_000);
    caller.abort(new Error("client left"));
    await expect(call).rejects.toThrow("client left");
    expect(await server.calls[0]?.aborted).toBe(true);
    expect(server.calls).toHaveLength(1);
  });

  it("keep the texts and the key out of the error", async () => {
    server.fail({ kind: "status", status: 500 });
    const error = await failureOf(embedQuery(embeddingModel({ apiKey: "sk-secret" })));
    expect(JSON.stringify([error, error.message, error.stack, error.cause])).not.toMatch(/cancel|sk-secret/);
  });

  it("have one breaker for queries and one for ingestion", async () => {
    const model = embeddingModel();
    server.fail({ kind: "status", status: 500 });
    for (let i = 0; i < 10; i++) await failureOf(embed({ model, value: "chunk", maxRetries: 0 }));
    server.fail(null);
    expect((await failureOf(embed({ model, value: "chunk", maxRetries: 0 }))).failure).toBe("open");
    expect((await embedQuery(model)).embedding).toHaveLength(1536);
  });

  it.each(["query", "ingest"])(
    "make at most two requests a call to a failing provider, on average, for %s",
    async (priority) => {
      const model = embeddingModel();
      server.fail({ kind: "status", status: 500 });
      const calls = 20;
      const options = { model, value: "x", maxRetries: 0, providerOptions: { ragstone: { priority } } };
      for (let i = 0; i < calls; i++) await failureOf(embed(options));
      expect(server.calls.length).toBeLessThanOrEqual(10);
    },
  );
});
