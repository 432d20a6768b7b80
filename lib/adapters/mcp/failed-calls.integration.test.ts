import { beforeAll, expect, test, vi } from "vitest";
import { POST } from "../../../app/mcp/route.ts";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { createKey } from "../../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { log } from "../../log.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { getRequest } from "../../usage/log.ts";

testDatabase();

let scope: TenantScope;
let authorization: string;
beforeAll(async () => {
  scope = await newCompany("Norte Energy");
  await addAndIngest(scope, document("cancel", "You can cancel your contract with thirty days' notice."));
  authorization = `Bearer ${(await createKey(scope, SYSTEM_ACTOR, { name: "Assistant" })).token}`;
});

/** Calls a tool, and returns the response and what the log has of the call. */
async function callTool(name: string, args: object, signal?: AbortSignal) {
  const requestId = crypto.randomUUID();
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      ...{ authorization, "x-request-id": requestId, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
    ...(signal && { signal }),
  });
  const response = await POST(request);
  const text = await response.text().catch(() => "");
  return {
    text,
    status: response.status,
    logged: await vi.waitFor(() => getRequest(scope, SYSTEM_ACTOR, requestId), 10_000),
  };
}

test("a failed call is in the log with its error", async () => {
  const { text, status, logged } = await callTool("fetch", { id: crypto.randomUUID() });
  expect(status).toBe(200);
  expect(text).toContain('"isError":true');
  expect(logged).toMatchObject({
    ...{ via: "mcp", origin: "api", statusCode: 404 },
    error: expect.stringContaining("Chunk not found"),
  });
});

test("a call with invalid arguments is in the log with the reason", async () => {
  const { text, logged } = await callTool("search", { query: "" });
  expect(text).toContain("must not be empty");
  expect(logged).toMatchObject({ via: "mcp", statusCode: 422, error: expect.stringContaining("must not be empty") });
});

test("a call that its client cancels is not a failure of the server", async () => {
  const models = createModels(env());
  const embedder = await models.embedder();
  const caller = new AbortController();
  const embedQuery = () => {
    caller.abort();
    return Promise.reject(new Error("aborted"));
  };
  const leaving = { ...embedder, embedQuery };
  RUNNING_MODELS.set({ ...models, embedder: async () => leaving, formerEmbedder: async () => leaving });
  const errors = vi.spyOn(log(), "error").mockImplementation(() => undefined);
  try {
    const { logged } = await callTool("search", { query: "How do I cancel?" }, caller.signal);
    expect(logged).toMatchObject({ via: "mcp", statusCode: 400, error: expect.stringContaining("closed") });
    expect(errors).not.toHaveBeenCalled();
  } finally {
    errors.mockRestore();
    RUNNING_MODELS.set();
  }
});
