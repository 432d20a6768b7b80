import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { POST as postMcp } from "../../app/mcp/route.ts";
import { POST as postDify } from "../../app/v1/api/dify/retrieval/route.ts";
import { POST as upload } from "../../app/v1/api/openai/files/route.ts";
import { POST as attach } from "../../app/v1/api/openai/vector_stores/[storeId]/files/route.ts";
import { POST as postOpenAi } from "../../app/v1/api/openai/vector_stores/[storeId]/search/route.ts";
import { POST as postNative } from "../../app/v1/api/rag/retrieve/route.ts";
import { PUT as putFile } from "../../app/v1/api/sources/file/route.ts";
import { PUT as putSource } from "../../app/v1/api/sources/route.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { listManaged } from "../knowledge/manage/list.ts";
import { listQuery } from "../knowledge/manage/schema.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { vectorStoreId } from "./openai/ids.ts";

testDatabase();

const QUERY = "How long does a refund take?";
const LABELS = [
  { audience: ["public", "staff"], contentCategory: "help", path: ["Support", "Billing"] },
  { audience: ["staff"], contentCategory: "internal", path: ["Support", "Staff"] },
  { audience: ["public"], contentCategory: "help", path: ["Sales"] },
];

let companies: TenantScope[];
beforeAll(async () => {
  companies = [await newCompany("North"), await newCompany("South")];
  for (const [number, scope] of companies.entries()) {
    const documents = LABELS.map((labels, index) =>
      document(`source-${index}`, `Company ${number}, text ${index}: a refund takes ten days.`, labels),
    );
    const question = { sourceType: "qa", sourceId: "qa", question: QUERY, answer: `Company ${number} pays at once.` };
    await addAndIngest(scope, ...documents, question);
  }
});

interface Call {
  scope: TenantScope;
  token: string;
}

function send(url: string, token: string, body: object, method = "POST"): Request {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    host: "localhost",
  };
  return new Request(`http://localhost${url}`, { method, headers, body: JSON.stringify(body) });
}

const nativeBody = z.object({ results: z.array(z.object({ payload: z.object({ content: z.string() }) })) });
const difyBody = z.object({ records: z.array(z.object({ content: z.string() })) });
const openAiBody = z.object({ data: z.array(z.object({ content: z.array(z.object({ text: z.string() })) })) });
const mcpBody = z.object({
  result: z.object({ structuredContent: z.object({ results: z.array(z.object({ text: z.string() })) }) }),
});

/** Each returns the texts of the results, best first. `widening` are conditions that every source meets. */
const SEARCH_INTERFACES: Record<string, (call: Call, widening: boolean) => Promise<string[]>> = {
  native: async ({ token }, widening) => {
    const filters = widening ? { metadata: { or: [{ sourceId: { exists: true } }, { x: 1 }] } } : {};
    const response = await postNative(send("/v1/api/rag/retrieve", token, { queryText: QUERY, filters }));
    return nativeBody.parse(await response.json()).results.map(({ payload }) => payload.content);
  },
  Dify: async ({ token }, widening) => {
    const conditions = [
      { name: "sourceId", comparison_operator: "not empty" },
      { name: "x", comparison_operator: "empty" },
    ];
    const metadata_condition = widening ? { logical_operator: "or", conditions } : null;
    const body = { knowledge_id: "all", query: QUERY, retrieval_setting: { top_k: 10 }, metadata_condition };
    const response = await postDify(send("/v1/api/dify/retrieval", token, body));
    return difyBody.parse(await response.json()).records.map(({ content }) => content);
  },
  OpenAI: async ({ scope, token }, widening) => {
    const storeId = vectorStoreId(scope.companyId);
    const filters = { type: "or", filters: [{ type: "ne", key: "source_id", value: "" }] };
    const body = { query: QUERY, ...(widening && { filters }) };
    const request = send(`/v1/api/openai/vector_stores/${storeId}/search`, token, body);
    const response = await postOpenAi(request, { params: Promise.resolve({ storeId }) });
    return openAiBody.parse(await response.json()).data.flatMap(({ content }) => content.map(({ text }) => text));
  },
  MCP: async ({ token }) => {
    const params = { name: "search", arguments: { query: QUERY } };
    const response = await postMcp(send("/mcp", token, { jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    const text = await response.text();
    const data = /^data: (\{.*\})$/m.exec(text)?.[1] ?? text;
    return mcpBody.parse(JSON.parse(data)).result.structuredContent.results.map((result) => result.text);
  },
};

const POLICIES: [KeyPolicy, string[]][] = [
  [{}, ["text 0", "text 1", "text 2", "at once"]],
  [{ audience: ["public"] }, ["text 0", "text 2"]],
  [{ audience: ["staff"], path: ["Support"] }, ["text 0", "text 1"]],
  [{ path: ["Support", "Billing"] }, ["text 0"]],
  [{ contentCategory: ["internal"] }, ["text 1"]],
  [{ sourceTypes: ["qa"] }, ["at once"]],
  [{ audience: ["public"], contentCategory: ["internal"] }, []],
  [{ audience: [] }, []],
  [{ limit: 1 }, ["at once"]],
];

describe.each(Object.keys(SEARCH_INTERFACES))("through the interface %s", (name) => {
  const search = SEARCH_INTERFACES[name] ?? SEARCH_INTERFACES.native;

  it.each(POLICIES)(
    "a key with the policy %j finds what it finds natively, and nothing of others",
    async (policy, expected) => {
      for (const [number, scope] of companies.entries()) {
        const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "Bound", policy });
        const native = await SEARCH_INTERFACES.native?.({ scope, token }, false);
        for (const widening of [false, true]) {
          const found = (await search?.({ scope, token }, widening)) ?? [];
          expect(found).toEqual(native);
          expect(found.every((text) => text.includes(`Company ${number}`))).toBe(true);
          expect(found).toHaveLength(expected.length);
          for (const part of expected) expect(found.some((text) => text.includes(part))).toBe(true);
        }
      }
    },
  );
});

interface Write extends Call {
  name: string;
  labels: { audience?: string; path?: string };
}

/** Each puts a text with these labels, and returns the status. */
const WRITING_INTERFACES: Record<string, (write: Write) => Promise<number>> = {
  "PUT /sources": async ({ token, name, labels: { audience, path } }) => {
    const labels = { ...(audience && { audience: [audience] }), ...(path && { path: [path] }) };
    const body = { sourceType: "document", sourceId: name, title: name, content: name, ...labels };
    return (await putSource(send("/v1/api/sources", token, body, "PUT"))).status;
  },
  "PUT /sources/file": async ({ token, name, labels }) => {
    const query = new URLSearchParams({ sourceId: name, ...labels });
    return (await putFile(send(`/v1/api/sources/file?${query}`, token, { name }, "PUT"))).status;
  },
  OpenAI: async ({ scope, token, name, labels: attributes }) => {
    const form = new FormData();
    form.set("purpose", "assistants");
    form.set("file", new Blob([name]), name);
    const headers = { authorization: `Bearer ${token}` };
    const uploaded = await upload(new Request("http://localhost/x", { method: "POST", headers, body: form }));
    const storeId = vectorStoreId(scope.companyId);
    const { id } = z.object({ id: z.string() }).parse(await uploaded.json());
    const request = send("/x", token, { file_id: id, attributes });
    return (await attach(request, { params: Promise.resolve({ storeId }) })).status;
  },
};

describe.each(Object.keys(WRITING_INTERFACES))("writing through the interface %s", (writer) => {
  it.each<[KeyPolicy, Write["labels"], boolean]>([
    [{}, {}, true],
    [{ audience: ["public"] }, { audience: "public" }, true],
    [{ audience: ["public"] }, {}, true],
    [{ audience: ["public"] }, { audience: "staff" }, false],
    [{ path: ["Open"] }, { path: "Closed" }, false],
    [{ sourceTypes: ["qa"] }, {}, false],
    [{ audience: [] }, {}, false],
  ])("a key with the policy %j writes %j: %j", async (policy, labels, allowed) => {
    for (const [number, scope] of companies.entries()) {
      const name = `${writer} ${JSON.stringify([policy, labels])}.txt`;
      const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "Writing", scopes: ["manage"], policy });
      const before = await sourcesOf(companies);
      const status = await WRITING_INTERFACES[writer]?.({ scope, token, name, labels });
      expect(allowed ? [200, 202] : [403]).toContain(status);
      const after = await sourcesOf(companies);
      expect(after.map((names, place) => names.length - (before[place]?.length ?? 0))).toEqual(
        companies.map((_, place) => (allowed && place === number ? 1 : 0)),
      );
      if (allowed && policy.audience)
        expect(after[number]?.find((each) => each.sourceId === name)?.audience).toEqual(["public"]);
    }
  });
});

function sourcesOf(scopes: TenantScope[]) {
  return Promise.all(
    scopes.map(async (scope) => (await listManaged(scope, SYSTEM_ACTOR, listQuery.parse({ limit: 200 }))).sources),
  );
}
