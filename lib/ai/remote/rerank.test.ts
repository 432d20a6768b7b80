import { rerank } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fault, type ProviderServer, startProviderServer } from "../../testing/provider-server.ts";
import { isProviderError } from "./provider-error.ts";
import { createRemoteRerankingModel } from "./rerank.ts";
import { budgets } from "./resilience.ts";

const documents = ["Opening hours of the shop", "How to cancel a contract", "Cancel your contract by mail today"];

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

function ask({ apiKey = null, attemptMs = 10_000 }: { apiKey?: string | null; attemptMs?: number } = {}) {
  const budget = { ...budgets.rerank, attemptMs, deadlineMs: attemptMs };
  const model = createRemoteRerankingModel({ baseUrl: server.url, apiKey, model: "rerank-v3.5", budget });
  return rerank({ model, query: "cancel your contract", documents, maxRetries: 0 });
}

describe("the remote reranker", () => {
  it("uses Cohere's API and orders by relevance", async () => {
    const { ranking } = await ask({ apiKey: "key" });
    expect(ranking.map(({ originalIndex }) => originalIndex)).toEqual([2, 1, 0]);
    expect(server.calls[0]).toMatchObject({
      path: "/v2/rerank",
      headers: { authorization: "Bearer key" },
      body: { model: "rerank-v3.5", query: "cancel your contract", documents, top_n: 3 },
    });
  });

  it("sends no key when there is none", async () => {
    await ask();
    expect(server.calls[0]?.headers).not.toHaveProperty("authorization");
  });

  it("clips relevance to 0..1", async () => {
    server.fail({ kind: "overflow" });
    const { ranking } = await ask();
    expect(ranking.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
    expect(ranking[0]?.score).toBe(1);
    expect(ranking.at(-1)?.score).toBe(0);
  });

  it.each<[Fault, string]>([
    [{ kind: "wrong-count" }, "invalid"],
    [{ kind: "wrong-index" }, "invalid"],
    [{ kind: "null" }, "invalid"],
    [{ kind: "nan" }, "invalid"],
    [{ kind: "html" }, "invalid"],
    [{ kind: "garbage" }, "invalid"],
    [{ kind: "cut" }, "network"],
    [{ kind: "hang" }, "timeout"],
    [{ kind: "status", status: 429 }, "busy"],
    [{ kind: "status", status: 500 }, "fault"],
  ])("fails on %o as %s, without a second request", async (fault, failure) => {
    server.fail(fault);
    const error = await ask({ attemptMs: fault.kind === "hang" ? 1_000 : 10_000 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isProviderError(error) && error.failure).toBe(failure);
    expect(server.calls).toHaveLength(1);
  });
});
