import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { apiKeys, auditLog } from "../db/schema/index.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { startDuring } from "../testing/start-during.ts";
import { authenticateKey, keyActor } from "./authenticate.ts";
import {
  createKey,
  getKey,
  listKeys,
  MAX_ACTIVE_KEYS,
  renameKey,
  restrictKey,
  revokeKey,
  rotateKey,
} from "./service.ts";

const database = testDatabase();
let scope: TenantScope;
let stranger: TenantScope;

beforeAll(async () => {
  scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Keys" })).id);
  stranger = tenantScope((await createCompany(CLI_ACTOR, { name: "Stranger" })).id);
});

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const works = (token: string) =>
  authenticateKey(`Bearer ${token}`).then(
    () => true,
    () => false,
  );

async function auditOf(id: string) {
  return database.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.companyId, scope.companyId), eq(auditLog.targetId, id)))
    .orderBy(auditLog.createdAt);
}

test("a new key works, and its token is never shown again", async () => {
  const { token, ...key } = await createKey(scope, CLI_ACTOR, { name: "Chatbot", policy: { audience: ["ai_agent"] } });
  expect(await works(token)).toBe(true);
  expect(key).toMatchObject({ name: "Chatbot", companyId: scope.companyId, status: "active", expiresAt: null });
  expect(key.maskedToken).toBe(`ragstone_live_************${token.slice(-4)}`);

  const later = JSON.stringify([
    await getKey(scope, SYSTEM_ACTOR, key.id),
    await listKeys(scope, SYSTEM_ACTOR),
    await auditOf(key.id),
  ]);
  expect(later).not.toContain(token);
  expect(later).not.toContain("hash");
});

test("the database contains only the last four characters of the secret", async () => {
  const { id, token } = await createKey(scope, CLI_ACTOR, { name: "Dump" });
  const [row] = await database.db.select().from(apiKeys).where(eq(apiKeys.id, id));
  const dump = JSON.stringify([row, await auditOf(id)]);
  const secret = token.slice("ragstone_live_".length);
  for (let start = 0; start + 5 <= secret.length; start++) expect(dump).not.toContain(secret.slice(start, start + 5));
});

test("every change is in the audit log, with actor and target", async () => {
  const admin: Actor = {
    type: "user",
    id: "4a1d9f2e-5b6c-4d7e-8f90-a1b2c3d4e5f6",
    name: "Ada",
    companyId: scope.companyId,
    role: "admin",
  };
  const key = await createKey(scope, admin, { name: "Audited" });
  await renameKey(scope, admin, { id: key.id, name: "Renamed" });
  const successor = await rotateKey(scope, CLI_ACTOR, { id: key.id, overlap: "1h" });
  await revokeKey(scope, admin, key.id);

  expect(key.createdBy).toBe(admin.id);
  expect(successor.createdBy).toBeNull();
  expect(await auditOf(key.id)).toMatchObject([
    { action: "api_key.created", actorType: "user", actorId: admin.id, actorName: "Ada", targetName: "Audited" },
    { action: "api_key.renamed", targetName: "Renamed", detail: { from: "Audited" } },
    { action: "api_key.rotated", actorType: "cli", detail: { replacedById: successor.id, overlap: "1h" } },
    { action: "api_key.revoked" },
  ]);
});

test("a failed change leaves nothing behind", async () => {
  const key = await createKey(scope, CLI_ACTOR, { name: "Untouched" });
  const rows = (await auditOf(key.id)).length;
  await expect(renameKey(scope, CLI_ACTOR, { id: key.id, name: " " })).rejects.toMatchObject({ statusCode: 422 });
  // the last statement of the transaction fails, because the actor's name contains U+0000
  await expect(revokeKey(scope, { ...CLI_ACTOR, name: "\0" }, key.id)).rejects.toThrow();
  expect((await getKey(scope, SYSTEM_ACTOR, key.id)).revokedAt).toBeNull();
  expect(await auditOf(key.id)).toHaveLength(rows);
});

test("a rotated key inherits everything, and the old key works for the overlap", async () => {
  const input = { name: "Rotated", expiresAt: inHours(1000), rateLimitPerMinute: 7, policy: { limit: 3 } };
  const old = await createKey(scope, CLI_ACTOR, input);
  const successor = await rotateKey(scope, CLI_ACTOR, { id: old.id });

  expect(successor).toMatchObject(input);
  expect(successor.token).not.toBe(old.token);
  expect(await works(old.token)).toBe(true);
  expect(await works(successor.token)).toBe(true);

  const retiring = await getKey(scope, SYSTEM_ACTOR, old.id);
  expect(retiring).toMatchObject({ status: "retiring", replacedById: successor.id });
  expect(Math.abs(Number(retiring.expiresAt) - Number(inHours(24)))).toBeLessThan(60_000);
  await expect(authenticateKey(`Bearer ${old.token}`, inHours(24.1))).rejects.toMatchObject({ statusCode: 401 });
  await expect(authenticateKey(`Bearer ${successor.token}`, inHours(24.1))).resolves.toMatchObject({ name: "Rotated" });
});

test.each([
  ["now", 0],
  ["1h", 1],
  ["24h", 24],
  ["7d", 168],
] as const)("an overlap of %s", async (overlap, hours) => {
  const old = await createKey(scope, CLI_ACTOR, { name: "Overlap" });
  await rotateKey(scope, CLI_ACTOR, { id: old.id, overlap });
  const { expiresAt } = await getKey(scope, SYSTEM_ACTOR, old.id);
  expect(Math.abs(Number(expiresAt) - Number(inHours(hours)))).toBeLessThan(60_000);
  expect(await works(old.token)).toBe(hours > 0);
});

test("an overlap never outlives the key's own expiry, and neither does the replacement", async () => {
  const expiresAt = inHours(2);
  const old = await createKey(scope, CLI_ACTOR, { name: "Short", expiresAt });
  const successor = await rotateKey(scope, CLI_ACTOR, { id: old.id, overlap: "7d" });
  expect((await getKey(scope, SYSTEM_ACTOR, old.id)).expiresAt).toEqual(expiresAt);
  expect(successor.expiresAt).toEqual(expiresAt);
});

test("a revoked, expired or rotated key cannot be rotated", async () => {
  const revoked = await createKey(scope, CLI_ACTOR, { name: "Revoked" });
  await revokeKey(scope, CLI_ACTOR, revoked.id);
  const expired = await createKey(scope, CLI_ACTOR, { name: "Expired" });
  await rotateKey(scope, CLI_ACTOR, { id: expired.id, overlap: "now" });
  const retiring = await createKey(scope, CLI_ACTOR, { name: "Retiring" });
  await rotateKey(scope, CLI_ACTOR, { id: retiring.id });
  const refused = [
    [revoked, 'The key "Revoked" is revoked. Create a new key.'],
    [expired, 'The key "Expired" is expired. Create a new key.'],
    [retiring, 'The key "Retiring" was already rotated. Rotate its replacement.'],
  ] as const;
  for (const [{ id }, message] of refused) {
    await expect(rotateKey(scope, CLI_ACTOR, { id })).rejects.toMatchObject({ error: "Conflict", message });
  }
});

test("of two concurrent rotations, one succeeds", async () => {
  const { id } = await createKey(scope, CLI_ACTOR, { name: "Raced" });
  const outcomes = await Promise.allSettled([1, 2].map(() => rotateKey(scope, CLI_ACTOR, { id })));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("revoking stops a key immediately, and revoking again changes nothing", async () => {
  const { id, token } = await createKey(scope, CLI_ACTOR, { name: "Revoked" });
  const first = await revokeKey(scope, CLI_ACTOR, id);
  expect(first.status).toBe("revoked");
  expect(await works(token)).toBe(false);
  expect((await revokeKey(scope, CLI_ACTOR, id)).revokedAt).toEqual(first.revokedAt);
  expect(await auditOf(id)).toHaveLength(2);
});

test("no call finds another company's key or an invalid id", async () => {
  const { id, token } = await createKey(scope, CLI_ACTOR, { name: "Mine" });
  const before = await getKey(scope, SYSTEM_ACTOR, id);
  for (const foreign of [id, "not-a-uuid", "3d0f4c1e-0000-4000-8000-000000000000"]) {
    const verbs = [
      getKey(stranger, SYSTEM_ACTOR, foreign),
      renameKey(stranger, CLI_ACTOR, { id: foreign, name: "x" }),
      rotateKey(stranger, CLI_ACTOR, { id: foreign }),
      revokeKey(stranger, CLI_ACTOR, foreign),
    ];
    for (const outcome of await Promise.allSettled(verbs)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { error: "NotFound" } });
    }
  }
  expect(await listKeys(stranger, SYSTEM_ACTOR)).toEqual([]);
  expect(await getKey(scope, SYSTEM_ACTOR, id)).toEqual(before);
  expect(await works(token)).toBe(true);
});

test("a company has a limited number of keys; revoked and expired keys do not count", async () => {
  const crowded = tenantScope((await createCompany(CLI_ACTOR, { name: "Crowded" })).id);
  const first = await createKey(crowded, CLI_ACTOR, { name: "First" });
  for (let made = 1; made < MAX_ACTIVE_KEYS; made++) await createKey(crowded, CLI_ACTOR, { name: `Key ${made}` });
  await expect(createKey(crowded, CLI_ACTOR, { name: "Above" })).rejects.toMatchObject({ error: "Conflict" });
  const successor = await rotateKey(crowded, CLI_ACTOR, { id: first.id });
  await revokeKey(crowded, CLI_ACTOR, successor.id);
  await expect(createKey(crowded, CLI_ACTOR, { name: "Again" })).resolves.toMatchObject({ name: "Again" });
});

// the embedded database runs one transaction after another
test.skipIf(env().databaseUrl === null)("of two keys created at once, one exceeds the limit of a company", async () => {
  const full = tenantScope((await createCompany(CLI_ACTOR, { name: "Nearly full" })).id);
  for (let made = 1; made < MAX_ACTIVE_KEYS; made++) await createKey(full, CLI_ACTOR, { name: `Key ${made}` });
  const { first, outcome } = startDuring(database.db, full, () => createKey(full, CLI_ACTOR, { name: "Above" }));
  await createKey(first, CLI_ACTOR, { name: "Last" });
  expect(await outcome).toMatchObject({ error: "Conflict" });
  expect(await listKeys(full, SYSTEM_ACTOR)).toHaveLength(MAX_ACTIVE_KEYS);
});

test("a key may only ask unless it is given other scopes, and its replacement keeps them", async () => {
  expect((await createKey(scope, CLI_ACTOR, { name: "Plain" })).scopes).toEqual(["retrieve"]);
  const importer = await createKey(scope, CLI_ACTOR, { name: "Importer", scopes: ["manage", "ingest", "manage"] });
  expect(importer.scopes).toEqual(["ingest", "manage"]);
  const { token } = await rotateKey(scope, CLI_ACTOR, { id: importer.id });
  expect((await authenticateKey(`Bearer ${token}`)).scopes).toEqual(["ingest", "manage"]);
  await expect(createKey(scope, CLI_ACTOR, { name: "None", scopes: [] })).rejects.toThrow("choose what the key may do");
});

test("a key acts in its own company and by its scopes only", async () => {
  const { token } = await createKey(scope, CLI_ACTOR, { name: "Manager", scopes: ["manage"] });
  const manager = keyActor(await authenticateKey(`Bearer ${token}`));
  expect(() => requireAdmin(scope, manager, "ingest")).not.toThrow();
  expect(() => requireAdmin(scope, manager, "retrieve")).toThrow("Only an admin");
  expect(() => requireAdmin(scope, manager)).toThrow("Only an admin");
  expect(() => requireMembership(stranger, manager, "manage")).toThrow("Only a member");
});

test("a key can lose access and gains none, and the audit log says what changed", async () => {
  const { id, token } = await createKey(scope, CLI_ACTOR, { name: "Wide", scopes: ["retrieve", "manage"] });
  const policy = { audience: ["ai_agent"] };
  const expiresAt = inHours(24);
  const restricted = await restrictKey(scope, CLI_ACTOR, { id, scopes: ["retrieve"], policy, expiresAt });
  expect(restricted).toMatchObject({ scopes: ["retrieve"], policy, expiresAt, rateLimitPerMinute: null });
  expect(await authenticateKey(`Bearer ${token}`)).toMatchObject({ scopes: ["retrieve"], policy });

  const wider = { id, scopes: ["retrieve", "ingest"], policy: {}, expiresAt: inHours(48) } as const;
  await expect(restrictKey(scope, CLI_ACTOR, { ...wider, scopes: [...wider.scopes] })).rejects.toMatchObject({
    error: "ValidationError",
    fields: {
      issues: [
        { path: "expiresAt", message: expect.stringContaining("create a new key") },
        { path: "scopes", message: expect.stringContaining("must not add ingest") },
        { path: "policy.audience" },
      ],
    },
  });
  expect(await getKey(scope, CLI_ACTOR, id)).toMatchObject({ scopes: ["retrieve"], policy, expiresAt });
  await expect(restrictKey(scope, CLI_ACTOR, { id, policy })).rejects.toMatchObject({
    error: "Conflict",
    message: expect.stringContaining("Choose less access"),
  });
  expect(await auditOf(id)).toMatchObject([
    { action: "api_key.created" },
    {
      action: "api_key.restricted",
      detail: {
        expiresAt: { from: null, to: expiresAt.toISOString() },
        scopes: { from: ["retrieve", "manage"], to: ["retrieve"] },
        audience: { from: "any", to: ["ai_agent"] },
      },
    },
  ]);

  await revokeKey(scope, CLI_ACTOR, id);
  await expect(restrictKey(scope, CLI_ACTOR, { id, policy })).rejects.toThrow("Create a new key");
});
