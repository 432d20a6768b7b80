import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { type CreateKeyInput, statusResponse } from "../api-keys/schema.ts";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { connect, setConnection } from "../db/client.ts";
import { SUBSCRIPTION_STATUSES } from "../db/schema/index.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { log } from "../log.ts";
import { applyPolicy } from "../retrieval/apply-policy.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { setSubscription } from "../subscriptions/service.ts";
import { testDatabase } from "../testing/database.ts";
import { MAX_BODY_BYTES } from "./body.ts";
import { endpoint } from "./endpoint.ts";
import { API_ERRORS } from "./error-schema.ts";
import { apiRoute } from "./route.ts";

const database = testDatabase();

const statusRoute = apiRoute("/v1/status", {
  GET: endpoint({
    access: "retrieve",
    response: statusResponse,
    handler: async ({ key: { id, name, companyId, maskedToken } }) => ({
      body: { status: "ok", timestamp: new Date().toISOString(), apiKey: { id, name, companyId, maskedToken } },
    }),
  }),
});

/** Returns the request that reaches the search, in place of results. */
const echoRoute = apiRoute("/v1/echo", {
  POST: endpoint({
    access: "retrieve",
    body: retrieveRequest,
    response: z.object({ request: z.unknown(), effective: z.unknown() }),
    handler: async ({ body, key }) => ({ body: { request: body, effective: applyPolicy(key.policy, body) } }),
  }),
});

let scope: TenantScope;

beforeAll(async () => {
  scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Contract" })).id);
});

beforeEach(async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" });
});

async function newToken(input: Partial<CreateKeyInput> = {}): Promise<string> {
  return (await createKey(scope, CLI_ACTOR, { name: "Contract", ...input })).token;
}

function getStatus(token: string | null, method: "GET" | "HEAD" = "GET"): Promise<Response> {
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` });
  return statusRoute[method](new Request("http://localhost/v1/status", { method, headers }));
}

function post(token: string, body: string | object, headers: Record<string, string> = {}): Promise<Response> {
  const bytes = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
  const request = new Request("http://localhost/v1/echo", {
    method: "POST",
    body: bytes,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
  });
  return echoRoute.POST(request);
}

/** The body of an error, checked against its documented schema. */
async function errorOf(response: Response) {
  const body = z.looseObject({ error: z.string() }).parse(await response.json());
  const doc = API_ERRORS.find(({ error }) => error === body.error);
  expect(doc?.schema.safeParse(body).error).toBeUndefined();
  expect(body).toMatchObject({ statusCode: response.status });
  return body;
}

test("a valid key gets its status and its rate limit headers", async () => {
  const token = await newToken({ name: "Website" });
  const response = await getStatus(token);
  expect(response.status).toBe(200);
  expect(statusResponse.parse(await response.json())).toMatchObject({
    apiKey: {
      name: "Website",
      companyId: scope.companyId,
      maskedToken: `ragstone_live_************${token.slice(-4)}`,
    },
  });
  expect(response.headers.get("ratelimit-limit")).toBe("600");
  expect(response.headers.get("ratelimit-remaining")).toBe("599");
  expect(response.headers.get("ratelimit-reset")).toBe("60");
});

test("HEAD requires a key as GET does", async () => {
  expect((await getStatus(await newToken(), "HEAD")).status).toBe(200);
  const refused = await getStatus(null, "HEAD");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect(await refused.text()).toBe("");
});

test("401 is the same for a missing, unknown and revoked key, except for the challenge", async () => {
  const revoked = await createKey(scope, CLI_ACTOR, { name: "Revoked" });
  await revokeKey(scope, CLI_ACTOR, revoked.id);
  const [missing, unknown, ended] = await Promise.all([getStatus(null), getStatus("x"), getStatus(revoked.token)]);
  expect(missing.headers.get("www-authenticate")).toBe("Bearer");
  const expected = { statusCode: 401, error: "Unauthorized", message: "API key is invalid or expired" };
  for (const response of [unknown, ended]) {
    expect(response.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  }
  for (const response of [missing, unknown, ended]) {
    expect(await errorOf(response)).toEqual(expected);
    expect(response.headers.get("ratelimit-limit")).toBeNull();
  }
});

test.each(SUBSCRIPTION_STATUSES)("a subscription that is %s", async (status) => {
  const token = await newToken();
  await setSubscription(scope, CLI_ACTOR, { status });
  const response = await getStatus(token);
  if (["ACTIVE", "TRIALING", "PAST_DUE"].includes(status)) {
    expect(response.status).toBe(200);
    return;
  }
  expect(response.status).toBe(403);
  // the button of the dashboard has this name
  const step = ["PAUSED", "CANCELLED", "EXPIRED"].includes(status) ? /\. Resume the / : /\. Activate the /;
  const message = expect.stringMatching(step);
  expect(await errorOf(response)).toMatchObject({ error: "SubscriptionInactive", subscriptionStatus: status, message });
  expect(response.headers.get("ratelimit-limit")).toBe("600");
});

test("a key above its rate limit is told when to retry", async () => {
  const token = await newToken({ rateLimitPerMinute: 2 });
  expect((await getStatus(token)).headers.get("ratelimit-remaining")).toBe("1");
  expect((await post(token, { queryText: "q" })).headers.get("ratelimit-remaining")).toBe("0");
  const refused = await getStatus(token);
  expect(refused.status).toBe(429);
  expect(await errorOf(refused)).toMatchObject({ error: "TooManyRequests" });
  expect(refused.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(refused.headers.get("ratelimit-remaining")).toBe("0");
});

test("a key with rate limit 0 has no limit", async () => {
  const token = await newToken({ rateLimitPerMinute: 0 });
  expect((await getStatus(token)).headers.get("ratelimit-limit")).toBeNull();
});

test("the checks run in order: key, subscription, rate limit, body, policy", async () => {
  const token = await newToken({ rateLimitPerMinute: 3, policy: { answers: false } });
  const answer = { queryText: "q", returnMode: "ai_generated_answer" };
  await setSubscription(scope, CLI_ACTOR, { status: "UNPAID" });
  expect((await post("x", "{")).status).toBe(401);
  expect((await post(token, "{")).status).toBe(403);
  await setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" });
  expect((await post(token, "x".repeat(MAX_BODY_BYTES + 1), { "content-type": "text/plain" })).status).toBe(413);
  expect((await post(token, { ...answer, limit: 0 })).status).toBe(422);
  const forbidden = await post(token, answer);
  expect(forbidden.status).toBe(403);
  expect(await errorOf(forbidden)).toMatchObject({ error: "Forbidden" });
  expect((await post(token, "{")).status).toBe(429);
});

test.each([
  ["text/plain", "{}", 415, "UnsupportedMediaType"],
  ["application/json; charset=latin1", "{}", 415, "UnsupportedMediaType"],
  ["application/json", "{", 422, "ValidationError"],
  ["application/json", "[]", 422, "ValidationError"],
  ["application/json", '"q"', 422, "ValidationError"],
  ["application/json", '{"queryText":""}', 422, "ValidationError"],
])("%s %s is %i", async (type, body, status, error) => {
  const response = await post(await newToken(), body, { "content-type": type });
  expect(response.status).toBe(status);
  expect(await errorOf(response)).toMatchObject({ error });
  expect(response.headers.get("ratelimit-limit")).toBe("600");
});

test("invalid UTF-8 is 422, not a replacement character", async () => {
  const body = Buffer.concat([Buffer.from('{"queryText":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect((await post(await newToken(), new Uint8Array(body))).status).toBe(422);
});

test("every problem of a body is reported, with its path", async () => {
  const response = await post(await newToken(), { limit: 0, filters: { sourceTypes: ["web"], foo: 1 } });
  const { issues } = await errorOf(response);
  const paths = z.array(z.object({ path: z.string() })).parse(issues);
  expect(paths.map(({ path }) => path).toSorted()).toEqual(["filters", "filters.sourceTypes.0", "limit", "queryText"]);
});

test("the response to a hostile body is not larger than the body", async () => {
  const token = await newToken();
  const many = { queryText: "q", filters: { sourceTypes: new Array(100_000).fill("x") } };
  const unknown = {
    queryText: "q",
    filters: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 1])),
  };
  for (const body of [many, unknown]) {
    const response = await post(token, body);
    expect(response.status).toBe(422);
    expect((await response.text()).length).toBeLessThan(20_000);
  }
});

test("unknown fields are ignored and named in a header, whatever their names", async () => {
  const token = await newToken();
  const misspelt = await post(token, { queryText: "q", scoreTreshold: 0.5, queryTxt: "x" });
  expect(misspelt.status).toBe(200);
  expect(misspelt.headers.get("x-ragstone-ignored-fields")).toBe("scoreTreshold, queryTxt");
  const hostile = await post(token, '{"queryText":"q","__proto__":{"limit":1},"a\\r\\nb: c":1,"ключ":1,"\\ud800":1}');
  expect(hostile.status).toBe(200);
  expect(hostile.headers.get("x-ragstone-ignored-fields")).toMatch(/^__proto__, a%0D%0Ab%3A%20c, /);
  expect((await post(token, { queryText: "q" })).headers.get("x-ragstone-ignored-fields")).toBeNull();
});

test("the key's policy narrows what the search gets", async () => {
  const token = await newToken({ policy: { audience: ["ai_agent"], limit: 5, path: ["Support"] } });
  const response = await post(token, { queryText: "q", limit: 50, filters: { path: ["Support", "Billing"] } });
  expect(await response.json()).toMatchObject({
    effective: { limit: 5, filters: { audience: ["ai_agent"], path: ["Support", "Billing"] } },
  });
  const outside = await post(token, { queryText: "q", filters: { audience: "copilot" } });
  expect(await outside.json()).toMatchObject({ effective: { filters: "nothing" } });
});

test("the log of a request has its company and key, and no text of the question", async () => {
  const info = vi.spyOn(log(), "info");
  const token = await newToken();
  await post(token, { queryText: "canary-query", clientName: "canary-client" });
  const line = info.mock.lastCall?.[0];
  expect(line).toMatchObject({ companyId: scope.companyId, keyId: expect.any(String), status: 200 });
  expect(JSON.stringify(line)).not.toMatch(/canary|ragstone_live/);
  info.mockRestore();
});

test("an unavailable database gives 503, never 401", async () => {
  const token = await newToken();
  const unreachable = connect({ url: "postgres://127.0.0.1:1/ragstone" });
  setConnection(unreachable);
  try {
    const response = await getStatus(token);
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toMatchObject({ error: "ServiceUnavailable" });
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect((await getStatus(null)).status).toBe(401);
  } finally {
    setConnection(database);
    await unreachable.close();
  }
});
