import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST } from "../../app/v1/api/rag/retrieve/route.ts";
import { RUNNING_MODELS } from "../ai/models.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { answerByProvider } from "../testing/answer-model.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { routeServer } from "../testing/serve-route.ts";
import { getRequest } from "../usage/log.ts";
import { retrieveRequest } from "./schema.ts";
import { streamRetrieval } from "./service.ts";

testDatabase();
const serve = routeServer();

const ASKED = { queryText: "When must I send the router back?", returnMode: "ai_generated_answer" };

let scope: TenantScope;
let provider: ProviderServer;

beforeAll(async () => {
  scope = await newCompany();
  await addAndIngest(scope, document("router.md", "Send the router back within 14 days."));
  provider = await startProviderServer({ answer: () => "Send the router back within 14 days [1]." });
  answerByProvider(provider.url);
  vi.spyOn(log(), "warn").mockImplementation(() => undefined);
});

afterEach(() => {
  provider.fail(null);
  provider.calls.length = 0;
});

afterAll(async () => {
  RUNNING_MODELS.set();
  await provider.close();
});

test("a JSON request whose caller leaves ends the model's request, without a retry or the fallback", async () => {
  const { token } = await createKey(scope, CLI_ACTOR, { name: "Leaving" });
  provider.fail({ kind: "hang" });
  const caller = new AbortController();
  const requestIds: string[] = [];
  const url = await serve(async (request) => {
    const response = await POST(request);
    requestIds.push(response.headers.get("x-request-id") ?? "");
    return response;
  });
  const call = fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(ASKED),
    signal: caller.signal,
  });
  await vi.waitUntil(() => provider.calls.length > 0, 20_000);
  caller.abort();
  await expect(call).rejects.toThrow("aborted");
  expect(await provider.calls[0]?.aborted).toBe(true);
  await vi.waitUntil(() => requestIds.length > 0, 20_000);
  const row = await getRequest(scope, SYSTEM_ACTOR, requestIds[0] ?? "");
  expect(row).toMatchObject({ statusCode: 400, error: expect.stringContaining("closed the connection"), answer: null });
  expect(provider.calls).toHaveLength(1);
});

test("a caller that leaves when it has the results costs no model call", async () => {
  const caller = new AbortController();
  const options = { requestId: crypto.randomUUID(), origin: "api", signal: caller.signal } as const;
  const parts = streamRetrieval(scope, retrieveRequest.parse(ASKED), options);
  expect((await parts.next()).value).toMatchObject({ type: "found" });
  caller.abort(new Error("left"));
  await expect(parts.next()).rejects.toThrow("left");
  expect(provider.calls).toEqual([]);
});

test("a caller that has left costs no search", async () => {
  let searches = 0;
  const snapshot: TenantScope["snapshot"] = (work) => {
    searches++;
    return scope.snapshot(work);
  };
  const signal = AbortSignal.abort(new Error("left"));
  const options = { requestId: crypto.randomUUID(), origin: "api", signal } as const;
  const parts = streamRetrieval({ ...scope, snapshot }, retrieveRequest.parse(ASKED), options);
  await expect(parts.next()).rejects.toThrow("left");
  expect(searches).toBe(0);
});
