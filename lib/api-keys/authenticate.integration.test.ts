import { beforeAll, expect, test, vi } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import * as system from "../db/system/keys.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { authenticateKey } from "./authenticate.ts";
import { generateToken } from "./key.ts";
import { type CreatedKey, createKey } from "./service.ts";

testDatabase();
let scope: TenantScope;
let key: CreatedKey;

beforeAll(async () => {
  scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Authenticated" })).id);
  key = await createKey(scope, CLI_ACTOR, { name: "Website", policy: { limit: 3 }, rateLimitPerMinute: 9 });
});

test.each([
  (token: string) => `Bearer ${token}`,
  (token: string) => `bearer ${token}`,
  (token: string) => `BEARER ${token}`,
  (token: string) => `  Bearer    ${token}  `,
  (token: string) => `Bearer\t${token}`,
])("finds the key: %s", async (header) => {
  expect(await authenticateKey(header(key.token))).toMatchObject({
    id: key.id,
    name: "Website",
    companyId: scope.companyId,
    maskedToken: key.maskedToken,
    policy: { limit: 3 },
    rateLimitPerMinute: 9,
    subscription: { status: "ACTIVE", currentPeriodEnd: null },
  });
});

const noToken = [null, "", " ", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Digest x"];
const badToken = [
  "Bearer x",
  `Bearer ${generateToken()}`,
  `Bearer ${"x".repeat(10_000)}`,
  "Bearer ключ",
  "Bearer ' or 1=1 --",
  `Bearer ${generateToken()}, Bearer ${generateToken()}`,
  `Bearer ${generateToken()} ${generateToken()}`,
];

test.each(noToken)("without a token: %j", async (header) => {
  await expect(authenticateKey(header)).rejects.toMatchObject({
    statusCode: 401,
    message: "API key is invalid or expired",
    headers: { "WWW-Authenticate": "Bearer" },
  });
});

test.each(badToken)("with an invalid token: %j", async (header) => {
  await expect(authenticateKey(header)).rejects.toMatchObject({
    statusCode: 401,
    message: "API key is invalid or expired",
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  });
});

test("refuses a typo without a database query", async () => {
  const lookup = vi.spyOn(system, "keyByHash");
  const typo = key.token.slice(0, -1) + (key.token.endsWith("a") ? "b" : "a");
  await expect(authenticateKey(`Bearer ${typo}`)).rejects.toMatchObject({ statusCode: 401 });
  expect(lookup).not.toHaveBeenCalled();
  lookup.mockRestore();
});

test("updates the last use once a minute, however many requests come", async () => {
  const { id } = await createKey(scope, CLI_ACTOR, { name: "Touched" });
  const lastUse = () =>
    scope.transaction((tx) => tx.query.apiKeys.findFirst({ where: (table, { eq }) => eq(table.id, id) }));
  await Promise.all(Array.from({ length: 20 }, () => system.touchKey(id)));
  const first = await lastUse();
  expect(first?.lastUsedAt).toBeInstanceOf(Date);
  await Promise.all(Array.from({ length: 20 }, () => system.touchKey(id)));
  expect((await lastUse())?.lastUsedAt).toEqual(first?.lastUsedAt);
});
