import { APIError, type OpenAI } from "openai";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import { createModels, type Embedder, RUNNING_MODELS } from "../../ai/models.ts";
import type { CreateKeyInput } from "../../api-keys/schema.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { setSubscription } from "../../subscriptions/service.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";
import { apiErrorOf, openaiCompany, storeOf } from "../../testing/openai-client.ts";
import { getRequest } from "../../usage/log.ts";

testDatabase();
const api = openaiCompany(startApiServer);

const QUERY = "How long does a refund take?";
let other: TenantScope;
beforeAll(async () => {
  other = await newCompany("Sur Energy");
  await addAndIngest(
    api.scope,
    document("eu", "In Europe a refund takes ten days.", {
      title: "Refunds in Europe",
      path: ["Support", "Billing"],
      metadata: { region: "EU", year: 2023, draft: false, tags: ["a"], url: "https://example.com/refunds" },
    }),
    document("us", "In America a refund takes a month.", {
      metadata: { region: "US", year: 2024 },
      audience: ["staff"],
    }),
    document("plain", "Refunds exist.", { metadata: { long: "x".repeat(600) } }),
  );
  await addAndIngest(other, document("secret", "A refund takes a year on the moon."));
});
beforeEach(() => setSubscription(api.scope, CLI_ACTOR, { status: "ACTIVE" }));

type Search = Partial<Parameters<OpenAI["vectorStores"]["search"]>[1]>;

async function found(params: Search = {}, input: Partial<CreateKeyInput> = {}): Promise<unknown[]> {
  const page = await (await api.client(input)).vectorStores.search(api.store, { query: QUERY, ...params });
  return page.data.map(({ attributes }) => attributes?.source_id);
}

describe("search", () => {
  it("finds what the native route finds, with the same scores", async () => {
    const { response } = await ask(api.scope, { queryText: QUERY });
    const page = await (await api.client()).vectorStores.search(api.store, { query: QUERY });
    expect(page.data.map(({ score, attributes }) => [attributes?.chunk_id, score])).toEqual(
      response.results.map(({ id, score }) => [id, score]),
    );
    expect(page).toMatchObject({ object: "vector_store.search_results.page" });
    expect(page.hasNextPage()).toBe(false);
    expect(page.data.find(({ attributes }) => attributes?.source_id === "eu")).toEqual({
      file_id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
      filename: "Refunds in Europe",
      score: expect.any(Number),
      content: [{ type: "text", text: "In Europe a refund takes ten days." }],
      attributes: {
        source_id: "eu",
        title: "Refunds in Europe",
        source_type: "document",
        content_category: "general",
        path: "Support/Billing",
        audience: "ai_agent, copilot",
        url: "https://example.com/refunds",
        chunk_id: expect.any(String),
        draft: false,
        region: "EU",
        year: 2023,
      },
    });
  });

  it("names what was unavailable for any of its queries", async () => {
    const models = createModels(env());
    const embedder = await models.embedder();
    const embedQuery: Embedder["embedQuery"] = (text, from) =>
      text.includes("America") ? Promise.reject(new Error("down")) : embedder.embedQuery(text, from);
    const failing = { ...embedder, embedQuery };
    RUNNING_MODELS.set({ ...models, embedder: async () => failing, formerEmbedder: async () => failing });
    try {
      const client = await api.client();
      const search = client.vectorStores.search(api.store, { query: [QUERY, "America"] });
      expect((await search.asResponse()).headers.get("X-Ragstone-Degraded")).toBe("embedding");
    } finally {
      RUNNING_MODELS.set();
    }
  });

  it.each([
    [{ type: "eq", key: "region", value: "EU" }, ["eu"]],
    [{ type: "ne", key: "region", value: "EU" }, ["us"]],
    [{ type: "gt", key: "year", value: 2023 }, ["us"]],
    [{ type: "gte", key: "year", value: 2023 }, ["eu", "us"]],
    [{ type: "lt", key: "year", value: 2024 }, ["eu"]],
    [{ type: "lte", key: "year", value: 2024 }, ["eu", "us"]],
    [{ type: "in", key: "region", value: ["EU", "US"] }, ["eu", "us"]],
    [{ type: "nin", key: "region", value: ["EU"] }, ["us"]],
    [{ type: "eq", key: "draft", value: false }, ["eu"]],
    [{ type: "eq", key: "source_id", value: "plain" }, ["plain"]],
    [{ type: "eq", key: "path", value: "Support/Billing" }, ["eu"]],
    [
      {
        type: "or",
        filters: [
          { type: "eq", key: "region", value: "EU" },
          { type: "and", filters: [{ type: "eq", key: "year", value: 2024 }] },
        ],
      },
      ["eu", "us"],
    ],
  ] satisfies [Search["filters"], string[]][])("%j finds %j", async (filters, expected) => {
    expect((await found({ filters })).toSorted()).toEqual(expected);
  });

  it("asks several queries, and keeps the best score of each chunk", async () => {
    const page = await (await api.client()).vectorStores.search(api.store, {
      query: [QUERY, "America"],
      max_num_results: 2,
    });
    expect(page.data).toHaveLength(2);
    const asked = await Promise.all([QUERY, "America"].map((queryText) => ask(api.scope, { queryText, limit: 2 })));
    const scores = asked.flatMap(({ response }) => response.results.map(({ score }) => score));
    expect(page.data[0]?.score).toBe(Math.max(...scores));
  });

  it("counts each of several queries towards the rate limit", async () => {
    const client = await api.client({ rateLimitPerMinute: 4 });
    const search = () => client.vectorStores.search(api.store, { query: [QUERY, "America", "Asia"] }).withResponse();
    const { response } = await search();
    expect(response.headers.get("ratelimit-remaining")).toBe("1");
    expect(await apiErrorOf(search())).toMatchObject({ status: 429 });
  });

  it("allows as many queries as the rate limit, and refuses more, which no retry can pass", async () => {
    const queries = [QUERY, "America", "Asia"];
    const search = async (rateLimitPerMinute: number) =>
      (await api.client({ rateLimitPerMinute })).vectorStores.search(api.store, { query: queries }).withResponse();
    expect((await search(3)).response.headers.get("ratelimit-remaining")).toBe("0");
    for (const limit of [1, 2]) {
      const error = await apiErrorOf(search(limit));
      expect(error).toMatchObject({ status: 400, param: "query" });
      expect(error.message).toContain(`at most ${limit},`);
    }
  });

  it("has the policy of the key, including its limit over several queries", async () => {
    const bound = { policy: { audience: ["staff"] } };
    expect(await found({}, bound)).toEqual(["us"]);
    const everything: Search["filters"] = { type: "or", filters: [{ type: "ne", key: "region", value: "x" }] };
    expect(await found({ filters: everything }, bound)).toEqual(["us"]);
    expect(await found({ query: [QUERY, "America", "Europe"] }, { policy: { limit: 1 } })).toHaveLength(1);
  });

  it("names the fields that it ignores", async () => {
    const ranking_options = { ranker: "auto" as const, score_threshold: 0, hybrid_search: { text_weight: 1 } };
    const { data, response } = await (await api.client()).vectorStores
      .search(api.store, { query: QUERY, ranking_options, rewrite_query: true, ...{ include: ["x"] } })
      .withResponse();
    expect(data.data).toHaveLength(3);
    expect(response.headers.get("x-ragstone-ignored-fields")?.split(", ").toSorted()).toEqual([
      "include",
      "ranking_options.hybrid_search",
    ]);
    expect(await found({ ranking_options: { ranker: "default-2024-11-15", score_threshold: 1 } })).toEqual([]);
  });

  it.each<[object, string, RegExp]>([
    [{ filters: { type: "like", key: "a", value: 1 } }, "filters.type", /must be one of and, or, eq/],
    [{ filters: { type: "gt", key: "year", value: "new" } }, "filters.value", /must be a number/],
    [{ filters: { type: "or", filters: [{ type: "eq", value: 1 }] } }, "filters.filters.0.key", /must be a string/],
    [{ max_num_results: 51 }, "max_num_results", /must be at most 50/],
    [{ query: [] }, "query", /1 to 8/],
    [{ query: new Array(9).fill("q") }, "query", /1 to 8/],
  ])("%j is 400 with the field", async (params, param, message) => {
    const error = await apiErrorOf((await api.client()).vectorStores.search(api.store, { query: QUERY, ...params }));
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error", param });
    expect(error.message).toMatch(message);
  });

  it("is in the log with its adapter, even when it is refused", async () => {
    const openai = await api.client();
    const { response } = await openai.vectorStores.search(api.store, { query: QUERY }).withResponse();
    const requestId = response.headers.get("x-request-id") ?? "";
    expect(await getRequest(api.scope, SYSTEM_ACTOR, requestId)).toMatchObject({ via: "openai", statusCode: 200 });
    const refused = await openai.vectorStores.search(api.store, { query: "" }).catch((error: APIError) => error);
    const refusedId = refused instanceof APIError ? (refused.headers?.get("x-request-id") ?? "") : "";
    expect(await getRequest(api.scope, SYSTEM_ACTOR, refusedId)).toMatchObject({ via: "openai", statusCode: 400 });
  });
});

describe("errors", () => {
  it("of an unknown key keep their sentence", async () => {
    const openai = (await api.client()).withOptions({ apiKey: "ragstone_live_x" });
    expect(await apiErrorOf(openai.vectorStores.list())).toMatchObject({
      ...{ status: 401, type: "invalid_request_error", code: "invalid_api_key", param: null },
      message: "401 API key is invalid or expired",
    });
  });

  it("of subscription and scope are 403", async () => {
    const openai = await api.client({ scopes: ["retrieve"] });
    expect(await apiErrorOf(openai.vectorStores.files.list(api.store))).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    await setSubscription(api.scope, CLI_ACTOR, { status: "UNPAID" });
    expect(await apiErrorOf(openai.vectorStores.list())).toMatchObject({
      ...{ status: 403, type: "permission_error", code: "subscription_inactive" },
    });
  });

  it("of a foreign store are 404 by every method", async () => {
    const openai = await api.client();
    const foreign = storeOf(other);
    const { data } = await (await api.client({ of: other })).vectorStores.files.list(foreign);
    const file = data[0]?.id ?? "";
    for (const work of [
      () => openai.vectorStores.retrieve(foreign),
      () => openai.vectorStores.search(foreign, { query: QUERY }),
      () => openai.vectorStores.files.list(foreign),
      () => openai.vectorStores.files.retrieve(file, { vector_store_id: api.store }),
      () => openai.vectorStores.files.content(file, { vector_store_id: api.store }),
      () => openai.vectorStores.files.retrieve("file-x", { vector_store_id: api.store }),
    ]) {
      expect(await apiErrorOf(work())).toMatchObject({ status: 404, type: "invalid_request_error" });
    }
  });

  it("of the rate limit are 429, and the client retries when it is told", async () => {
    const once = await api.client({ rateLimitPerMinute: 1 });
    await once.vectorStores.list();
    expect(await apiErrorOf(once.vectorStores.list())).toMatchObject({
      ...{ status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
    });
    const statuses: number[] = [];
    const retrying = once.withOptions({
      maxRetries: 1,
      fetch: async (...request) => {
        const response = await fetch(...request);
        statuses.push(response.status);
        const headers = new Headers(response.headers);
        expect(headers.get("retry-after")).toMatch(/^\d+$/);
        // so that the test does not wait for a minute
        headers.set("retry-after-ms", "1");
        return new Response(await response.text(), { status: response.status, headers });
      },
    });
    await apiErrorOf(retrying.vectorStores.list());
    expect(statuses).toEqual([429, 429]);
  });
});
