import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { POST } from "../../../app/mcp/route.ts";
import { createKey } from "../../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { KeyScope } from "../../db/column-values.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany } from "../../testing/knowledge.ts";
import { routeServer } from "../../testing/serve-route.ts";
import { listRequests } from "../../usage/log.ts";

testDatabase();
const serve = routeServer();

let scope: TenantScope;
let other: TenantScope;
let url: URL;

beforeAll(async () => {
  scope = await newCompany("Norte Energy");
  other = await newCompany("Sur Energy");
  await addAndIngest(
    scope,
    document("cancel", "You can cancel your contract with thirty days' notice.", {
      ...{ title: "Cancelling", audience: ["public"], contentCategory: "contracts" },
      metadata: { url: "https://norte.example/cancel" },
    }),
    document("margin", "The margin on each contract is four percent.", {
      ...{ title: "Margins", audience: ["internal"], contentCategory: "figures" },
    }),
  );
  await addAndIngest(other, document("secret", "Sur Energy cancels a contract on the moon.", { title: "Moon" }));
});
beforeEach(async () => {
  url = new URL("/mcp", await serve(POST));
});

async function bearer(of: TenantScope, policy: KeyPolicy = {}, scopes: KeyScope[] = ["retrieve"]) {
  const { token } = await createKey(of, SYSTEM_ACTOR, { name: "Assistant", policy, scopes });
  return { Authorization: `Bearer ${token}` };
}

interface Connected {
  tools: () => Promise<{ name: string; description?: string | undefined }[]>;
  call: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
}

const CLIENTS: Record<string, (headers: Record<string, string>) => Promise<Connected>> = {
  "the client of 2025": async (headers) => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return connected(client);
  },
  "the client of 2026": async (headers) => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return connected(client);
  },
  "the earlier SDK": async (headers) => {
    const client = new EarlierClient({ name: "test", version: "1" });
    await client.connect(new EarlierTransport(url, { requestInit: { headers } }));
    return connected(client);
  },
};

function connected(client: Client | EarlierClient): Connected {
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => ({ ...(await client.callTool({ name, arguments: args })) }),
    close: () => client.close(),
  };
}

async function using<Result>(
  headers: Record<string, string>,
  work: (client: Connected) => Promise<Result>,
  name = "the client of 2026",
) {
  const client = await CLIENTS[name]?.(headers);
  if (!client) throw new Error(`no client ${name}`);
  return work(client).finally(() => client.close());
}

const hits = z.object({ results: z.array(z.object({ id: z.string(), title: z.string() })) });
const hitsOf = (found: Record<string, unknown>) => hits.parse(found.structuredContent).results;
const titles = (found: Record<string, unknown>) => hitsOf(found).map(({ title }) => title);

describe.each(Object.keys(CLIENTS))("%s", (name) => {
  it("lists the tools, searches, fetches what it found, and asks", async () => {
    await using(
      await bearer(scope),
      async ({ tools, call }) => {
        const listed = await tools();
        expect(listed.map((tool) => tool.name)).toEqual(["search", "fetch", "ask"]);
        expect(listed[0]?.description).toContain("Norte Energy, about contracts and figures");
        const found = await call("search", { query: "How do I cancel?" });
        expect(found.structuredContent).toMatchObject({
          results: [
            { title: "Cancelling", url: "https://norte.example/cancel", text: expect.stringContaining("thirty days") },
            { title: "Margins" },
          ],
        });
        expect(found.content).toEqual([{ type: "text", text: JSON.stringify(found.structuredContent) }]);
        const [first] = hitsOf(found);
        const fetched = await call("fetch", { id: first?.id });
        expect(fetched.structuredContent).toMatchObject({
          ...{ id: first?.id, title: "Cancelling", text: "You can cancel your contract with thirty days' notice." },
          metadata: { sourceId: "cancel", truncated: false },
        });
        const asked = await call("ask", { question: "With how much notice can I cancel my contract?", limit: 1 });
        expect(asked.structuredContent).toMatchObject({
          answer: expect.stringContaining("thirty days"),
          results: [{ n: 1, title: "Cancelling" }],
        });
      },
      name,
    );
  });
});

test("the AI SDK's client gets the tools and calls them", async () => {
  const headers = await bearer(scope);
  const client = await createMCPClient({ transport: { type: "http", url: url.href, headers } });
  const tools = await client.tools();
  expect(Object.keys(tools)).toEqual(["search", "fetch", "ask"]);
  const found = await tools.search?.execute?.({ query: "cancel" }, { toolCallId: "1", messages: [], context: {} });
  expect(JSON.stringify(found)).toContain("thirty days");
  await client.close();
});

describe("a bound key", () => {
  it("finds and fetches only what its policy allows, and has no tool for what it does not allow", async () => {
    const everything = await using(await bearer(scope), ({ call }) => call("search", { query: "margin" }));
    const hidden = hitsOf(everything).find(({ title }) => title === "Margins");
    await using(await bearer(scope, { audience: ["public"], answers: false }), async ({ tools, call }) => {
      const listed = await tools();
      expect(listed.map(({ name }) => name)).toEqual(["search", "fetch"]);
      expect(listed[0]?.description).not.toContain("figures");
      expect(titles(await call("search", { query: "margin" }))).toEqual(["Cancelling"]);
      expect(await call("fetch", { id: hidden?.id })).toMatchObject({
        isError: true,
        content: [{ text: "Source not found" }],
      });
      await expect(call("ask", { question: "margin" })).rejects.toMatchObject({ code: -32602 });
    });
    await using(await bearer(other), async ({ call }) => {
      expect(titles(await call("search", { query: "margin" }))).toEqual(["Moon"]);
      expect(await call("fetch", { id: hidden?.id })).toMatchObject({ isError: true });
    });
  });

  it("is refused without the scope, and without a key", async () => {
    await expect(using(await bearer(scope, {}, ["manage"]), ({ tools }) => tools())).rejects.toThrow(/403|scope/);
    await expect(using({}, ({ tools }) => tools())).rejects.toThrow(/401|invalid or expired/);
  });
});

test("null counts as absent in the optional arguments of ask", async () => {
  await using(await bearer(scope), async ({ call }) => {
    const nothing = { limit: null, sourceTypes: null, contentCategory: null, path: null };
    const asked = await call("ask", { question: "With how much notice can I cancel my contract?", ...nothing });
    expect(asked.structuredContent).toMatchObject({ answer: expect.stringContaining("thirty days") });
  });
});

describe("bad input", () => {
  it("is named, and reveals nothing", async () => {
    await using(await bearer(scope), async ({ call }) => {
      const empty = await call("search", { query: "" });
      expect(empty.isError).toBe(true);
      expect(JSON.stringify(empty.content)).toContain("query: must not be empty");
      for (const query of ["a".repeat(8_001), "😀".repeat(4_001)]) {
        const long = await call("search", { query });
        expect(JSON.stringify(long.content)).toContain("query: must have at most 8,000 characters");
      }
      expect(await call("fetch", { id: "no-such-id" })).toMatchObject({ isError: true });
      await expect(call("drop", {})).rejects.toMatchObject({ code: -32602 });
    });
  });

  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const ping = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  it.each<[string, Record<string, string>, unknown, number]>([
    ["a batch", {}, [ping, ping], 400],
    ["a page of another site", { Origin: "https://evil.example" }, ping, 403],
    ["a name that is not ours", { Host: "evil.example" }, ping, 403],
    ["no event stream in Accept", { Accept: "application/json" }, ping, 406],
    ["another content type", { "Content-Type": "text/plain" }, ping, 415],
    ["a compressed body", { "Content-Encoding": "gzip" }, ping, 415],
  ])("%s is refused", async (_, given, body, status) => {
    const request = new Request(url, {
      ...{ method: "POST", headers: { ...headers, ...(await bearer(scope)), ...given } },
      body: JSON.stringify(body),
    });
    expect((await POST(request)).status).toBe(status);
  });

  it("is 400 when it is not JSON", async () => {
    const request = { method: "POST", headers: { ...headers, ...(await bearer(scope)) }, body: "{" };
    const response = await fetch(url, request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
  });
});

test("the tools are described to a client that escapes the slash of the method", async () => {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools\\/list","params":{}}';
  const response = await fetch(url, { method: "POST", headers: { ...headers, ...(await bearer(scope)) }, body });
  expect(await response.text()).toContain("Norte Energy, about contracts and figures");
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
});

test("a response leaves it to the server whether the connection is kept", async () => {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
  const request = new Request(url, { method: "POST", headers: { ...headers, ...(await bearer(scope)) }, body });
  const response = await POST(request);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.has("connection")).toBe(false);
});

test("an excerpt that ends in the middle of an emoji is valid text", async () => {
  const company = await newCompany();
  const start = `${"rain ".repeat(59)}hail`;
  await addAndIngest(company, document("weather", `${start}😀 and snow.`));
  const found = await using(await bearer(company), ({ call }) => call("search", { query: "rain" }));
  expect(found.structuredContent).toMatchObject({ results: [{ text: `${start}\uFFFD` }] });
});

test("the log says that a request came through MCP", async () => {
  await using(await bearer(scope), ({ call }) => call("search", { query: "Which door is this?" }));
  const { rows } = await listRequests(scope, SYSTEM_ACTOR, { days: 1, sender: null, outcome: null, search: "" }, 1);
  expect(rows.find(({ queryText }) => queryText === "Which door is this?")).toMatchObject({
    via: "mcp",
    origin: "api",
  });
});
