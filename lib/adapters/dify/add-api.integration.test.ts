import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { POST } from "../../../app/v1/api/dify/retrieval/route.ts";
import type { CreateKeyInput } from "../../api-keys/schema.ts";
import { createKey, revokeKey } from "../../api-keys/service.ts";
import { CLI_ACTOR } from "../../audit/record.ts";
import { connect, setConnection } from "../../db/client.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { setSubscription } from "../../subscriptions/service.ts";
import { testDatabase } from "../../testing/database.ts";
import { difyBody, difyRequest } from "../../testing/dify-request.ts";
import { newCompany } from "../../testing/knowledge.ts";

const database = testDatabase();

let scope: TenantScope;
let token: string;
beforeAll(async () => {
  scope = await newCompany();
  token = await newToken();
});
beforeEach(() => setSubscription(scope, CLI_ACTOR, { status: "ACTIVE" }));

async function newToken(input: Partial<CreateKeyInput> = {}): Promise<string> {
  return (await createKey(scope, CLI_ACTOR, { name: "Dify", ...input })).token;
}

const send = (body: string | object | null, authorization: string | null = `Bearer ${token}`) =>
  difyRequest(body, authorization);

async function errorOf(request: Request) {
  const response = await POST(request);
  return { status: response.status, ...(await response.json()) };
}

describe("adding Ragstone to Dify", () => {
  it("succeeds with a good key and no body", async () => {
    expect(await errorOf(send(null))).toMatchObject({ status: 400, error_code: 400 });
  });

  it.each([
    ["no key", null, 1001],
    ["no bearer", "Basic abc", 1001],
    ["an empty bearer", "Bearer ", 1001],
    ["an unknown key", "Bearer ragstone_live_x", 1002],
  ])("is refused with %s, before the body is read", async (_, authorization, error_code) => {
    for (const body of [null, "{", difyBody()]) {
      expect(await errorOf(send(body, authorization))).toEqual({
        status: 403,
        error_code,
        error_msg: "API key is invalid or expired",
      });
    }
  });

  it("is refused with a revoked key, a key without the scope, and an inactive subscription", async () => {
    const revoked = await createKey(scope, CLI_ACTOR, { name: "Revoked" });
    await revokeKey(scope, CLI_ACTOR, revoked.id);
    const writing = await newToken({ scopes: ["ingest"] });
    for (const refused of [revoked.token, writing]) {
      expect(await errorOf(send(null, `Bearer ${refused}`))).toMatchObject({ status: 403, error_code: 1002 });
    }
    await setSubscription(scope, CLI_ACTOR, { status: "CANCELLED" });
    expect(await errorOf(send(null))).toMatchObject({ status: 403, error_code: 1002 });
  });

  it("is 503 while the database is unavailable, and 429 above the rate limit", async () => {
    const limited = await newToken({ rateLimitPerMinute: 1 });
    await POST(send(null, `Bearer ${limited}`));
    const refused = await POST(send(difyBody(), `Bearer ${limited}`));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error_code: 429 });
    const unreachable = connect({ url: "postgres://127.0.0.1:1/ragstone" });
    setConnection(unreachable);
    try {
      const response = await POST(send(difyBody()));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await response.json()).toMatchObject({ error_code: 503 });
    } finally {
      setConnection(database);
      await unreachable.close();
    }
  });
});
