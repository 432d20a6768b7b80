import { beforeAll, expect, test } from "vitest";
import { POST } from "../../../app/v1/api/openai/vector_stores/[storeId]/search/route.ts";
import { createModels, type Embedder, RUNNING_MODELS } from "../../ai/models.ts";
import { createKey } from "../../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";
import { storeOf } from "../../testing/openai-client.ts";
import { listRequests } from "../../usage/log.ts";

testDatabase();

let scope: TenantScope;
let other: TenantScope;
let authorization: string;
beforeAll(async () => {
  [scope, other] = [await newCompany(), await newCompany()];
  for (const each of [scope, other]) await addAndIngest(each, document("eu", "In Europe a refund takes ten days."));
  authorization = `Bearer ${(await createKey(scope, SYSTEM_ACTOR, { name: "OpenAI" })).token}`;
});

test("a search that fails is one failed request in the log, even when one of its queries was found", async () => {
  const models = createModels(env());
  const embedder = await models.embedder();
  const caller = new AbortController();
  const embedded = Promise.withResolvers<void>();
  const embedQuery: Embedder["embedQuery"] = async (text, from) => {
    if (text !== "America") return embedder.embedQuery(text, from).finally(embedded.resolve);
    await embedded.promise;
    // the same search in another company begins later, so the other query has ended before
    await ask(other, { queryText: "Europe" });
    caller.abort();
    throw new Error("aborted");
  };
  const leaving = { ...embedder, embedQuery };
  RUNNING_MODELS.set({ ...models, embedder: async () => leaving, formerEmbedder: async () => leaving });
  try {
    const requestId = crypto.randomUUID();
    const storeId = storeOf(scope);
    const request = new Request(`http://localhost/v1/api/openai/vector_stores/${storeId}/search`, {
      method: "POST",
      headers: { authorization, "x-request-id": requestId, "content-type": "application/json" },
      body: JSON.stringify({ query: ["Europe", "America"] }),
      signal: caller.signal,
    });
    expect((await POST(request, { params: Promise.resolve({ storeId }) })).status).toBe(400);
    const all = { days: 1, sender: null, outcome: null, search: "" } as const;
    const { rows } = await listRequests(scope, SYSTEM_ACTOR, all, 1);
    expect(rows).toMatchObject([{ id: requestId, statusCode: 400, error: expect.stringContaining("closed") }]);
  } finally {
    RUNNING_MODELS.set();
  }
});
