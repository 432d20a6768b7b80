import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { type Connection, connect, setConnection } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { AppError } from "../errors.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { getRequest } from "./log.ts";
import { flushQueryLog, recordQuery } from "./record.ts";
import { recordRefusal } from "./record-refusal.ts";
import { countServed, listKeyCalls } from "./service.ts";

const database = testDatabase();
let scope: TenantScope;
let keyId: string;

beforeEach(async () => {
  scope = await newCompany();
  keyId = (await createKey(scope, CLI_ACTOR, { name: "Key" })).id;
});

function answered(at: Date, origin: "api" | "playground" = "api"): string {
  const id = randomUUID();
  recordQuery(scope.companyId, { id, at, origin, apiKeyId: keyId, queryText: "why?", statusCode: 200, total: 2 });
  return id;
}

function refused(error: AppError): string {
  const requestId = randomUUID();
  recordRefusal(
    { requestId, companyId: scope.companyId, keyId, origin: "api", durationMs: 1.4, statusCode: 422 },
    error,
  );
  return requestId;
}

test("the allowance counts API requests on the days of the period", async () => {
  const [before, first, last, after] = ["2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"].map(
    (day) => new Date(`${day}T12:00:00Z`),
  );
  for (const at of [before, first, last, after]) if (at) answered(at);
  if (first) answered(first, "playground");
  const period = { start: new Date("2026-02-01T09:00:00Z"), end: new Date("2026-03-01T09:00:00Z") };
  expect(await countServed(scope, SYSTEM_ACTOR, period)).toBe(2);
  expect(await countServed(await newCompany(), SYSTEM_ACTOR, period)).toBe(0);
});

test("a refused call is found by its id among the key's calls, and does not count towards the allowance", async () => {
  const good = answered(new Date(Date.now() - 1_000));
  const bad = refused(new AppError("ValidationError", "limit: must be at most 100"));
  expect((await listKeyCalls(scope, SYSTEM_ACTOR, keyId)).map(({ id }) => id)).toEqual([bad, good]);
  expect(await listKeyCalls(scope, SYSTEM_ACTOR, keyId, { errorsOnly: true })).toMatchObject([
    { id: bad, statusCode: 422, error: "ValidationError: limit: must be at most 100", queryText: null, durationMs: 1 },
  ]);
  expect(
    await countServed(scope, SYSTEM_ACTOR, {
      start: new Date(Date.now() - DAY_MS),
      end: new Date(Date.now() + DAY_MS),
    }),
  ).toBe(1);
});

test("text that a refusal quotes from a caller cannot keep other rows out of the log", async () => {
  const good = answered(new Date(Date.now() - 1_000));
  const bad = refused(new AppError("ValidationError", "filters: unknown key \0"));
  expect((await listKeyCalls(scope, SYSTEM_ACTOR, keyId)).map(({ id }) => id)).toEqual([bad, good]);
});

test("requests made while the database is unavailable are logged when it is back", async () => {
  const id = answered(new Date());
  const unreachable = connect({ dataDir: "/nowhere/at/all" });
  setConnection(unreachable);
  await flushQueryLog();
  setConnection(database);
  await unreachable.close();
  expect(await listKeyCalls(scope, SYSTEM_ACTOR, keyId)).toMatchObject([{ id }]);
});

test("requests whose commit lost its reply are written again and counted once", async () => {
  const now = new Date();
  const ids = [answered(now), answered(now)];
  setConnection(losingReplies(database));
  await flushQueryLog();
  setConnection(database);
  ids.push(answered(now));
  await flushQueryLog();
  const period = { start: now, end: new Date(now.getTime() + DAY_MS) };
  expect(await countServed(scope, SYSTEM_ACTOR, period)).toBe(ids.length);
  const rows = await scope.transaction((tx) => tx.$count(queryLog, eq(queryLog.companyId, scope.companyId)));
  expect(rows).toBe(ids.length);
});

/** A connection that closes after each commit of rows, before the database's reply arrives. */
function losingReplies(connection: Connection): Connection {
  const { sql } = connection;
  const unsafe = async (statements: string) => {
    const reply = await sql.unsafe(statements);
    if (!statements.includes("insert into")) return reply;
    throw Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  };
  return {
    ...connection,
    sql: new Proxy(sql, { get: (all, name) => (name === "unsafe" ? unsafe : Reflect.get(all, name)) }),
  };
}

test("thousands of rows queued while the database is unavailable are all written and counted", async () => {
  const now = new Date();
  const ids = Array.from({ length: 4_200 }, () => answered(now));
  await flushQueryLog();
  const period = { start: now, end: new Date(now.getTime() + DAY_MS) };
  expect(await countServed(scope, SYSTEM_ACTOR, period)).toBe(ids.length);
  const rows = await scope.transaction((tx) => tx.$count(queryLog, eq(queryLog.companyId, scope.companyId)));
  expect(rows).toBe(ids.length);
});

test("a row that the database rejects still counts, and no other row is lost", async () => {
  const now = new Date();
  const before = answered(now);
  recordQuery(scope.companyId, { id: "no uuid", at: now, origin: "api", apiKeyId: keyId, statusCode: 200, total: 2 });
  const after = answered(now);
  await flushQueryLog();
  await flushQueryLog();
  const period = { start: now, end: new Date(now.getTime() + DAY_MS) };
  expect(await countServed(scope, SYSTEM_ACTOR, period)).toBe(3);
  for (const id of [before, after]) expect(await getRequest(scope, SYSTEM_ACTOR, id)).toMatchObject({ id });
});

test("the log entry of a refusal is short, whatever it quotes", async () => {
  const id = refused(new AppError("ValidationError", `filters: unknown filter "${"é".repeat(100_000)}"`));
  const [call] = await listKeyCalls(scope, SYSTEM_ACTOR, keyId);
  expect(call?.id).toBe(id);
  expect((await getRequest(scope, SYSTEM_ACTOR, id)).error?.length).toBeLessThanOrEqual(500);
});

test("a caller over the rate limit does not fill the log", async () => {
  for (let call = 0; call < 50; call++) refused(new AppError("TooManyRequests", "Rate limit reached"));
  expect((await listKeyCalls(scope, SYSTEM_ACTOR, keyId)).length).toBeLessThan(5);
});

test("another company sees no calls of a key", async () => {
  answered(new Date());
  expect(await listKeyCalls(await newCompany(), SYSTEM_ACTOR, keyId)).toEqual([]);
});
