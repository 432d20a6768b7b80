import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST as postMcp } from "../../app/mcp/route.ts";
import { POST as postDify } from "../../app/v1/api/dify/retrieval/route.ts";
import { POST as postOpenAi } from "../../app/v1/api/openai/vector_stores/[storeId]/search/route.ts";
import { POST as postNative } from "../../app/v1/api/rag/retrieve/route.ts";
import { vectorStoreId } from "../adapters/openai/ids.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { inSearchQueue } from "../retrieval/search-queue.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";

vi.stubEnv("LOG_LEVEL", "silent");
testDatabase();

interface Caller {
  scope: TenantScope;
  token: string;
}

let busy: Caller;
let quiet: Caller;
beforeAll(async () => {
  busy = await newCaller("Busy");
  quiet = await newCaller("Quiet");
});
afterEach(() => vi.restoreAllMocks());

async function newCaller(name: string): Promise<Caller> {
  const scope = await newCompany(name);
  await addAndIngest(scope, document("hours", "We open at nine."));
  const { token } = await createKey(scope, CLI_ACTOR, { name });
  return { scope, token };
}

const QUERY = "When do you open?";

function post({ token }: Caller, path: string, body: object): Request {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    host: "localhost",
  };
  return new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const SEARCHES: [name: string, search: (caller: Caller) => Promise<Response>][] = [
  ["retrieve", (caller) => postNative(post(caller, "/v1/api/rag/retrieve", { queryText: QUERY }))],
  [
    "Dify",
    (caller) =>
      postDify(
        post(caller, "/v1/api/dify/retrieval", { knowledge_id: "all", query: QUERY, retrieval_setting: { top_k: 1 } }),
      ),
  ],
  [
    "OpenAI",
    (caller) => {
      const storeId = vectorStoreId(caller.scope.companyId);
      const request = post(caller, `/v1/api/openai/vector_stores/${storeId}/search`, { query: QUERY });
      return postOpenAi(request, { params: Promise.resolve({ storeId }) });
    },
  ],
];

/** Asks as an MCP client. @returns the body of the response */
async function askByMcp(caller: Caller): Promise<string> {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "search", arguments: { query: QUERY } },
  };
  return (await postMcp(post(caller, "/mcp", body))).text();
}

test("a company whose questions wait for long is refused by every interface, and no other company", async () => {
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
  const { companyId } = busy.scope;
  await inSearchQueue(companyId, undefined, async () => {
    aheadMs += 20_000;
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 200 }, () => inSearchQueue(companyId, undefined, () => ended));
  aheadMs += 3_001;

  for (const [name, search] of SEARCHES) {
    const refused = await search(busy);
    expect([name, refused.status, refused.headers.get("Retry-After")]).toEqual([name, 429, "30"]);
    expect(await refused.text()).toContain("Too many questions of this company are waiting");
    expect([name, (await search(quiet)).status]).toEqual([name, 200]);
  }
  expect(await askByMcp(busy)).toContain("Too many questions of this company are waiting");
  expect(await askByMcp(quiet)).toContain("We open at nine.");

  end();
  await Promise.all(waiting);
  for (const [name, search] of SEARCHES) expect([name, (await search(busy)).status]).toEqual([name, 200]);
});
