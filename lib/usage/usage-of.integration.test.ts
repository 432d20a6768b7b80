import { randomUUID } from "node:crypto";
import { and, eq, lt, ne } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { apiKeys, companies, queryLog } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { firstSteps } from "./first-steps.ts";
import { keyActivity } from "./key-activity.ts";
import { firstDay } from "./log-conditions.ts";
import { flushQueryLog, type QueryRecord, recordQuery } from "./record.ts";
import { usageOf } from "./usage-of.ts";

const { db } = testDatabase();
const ALL = { days: 7, sender: null };
let scope: TenantScope;
let keyId: string;

beforeEach(async () => {
  scope = await newCompany();
  keyId = (await createKey(scope, CLI_ACTOR, { name: "Website" })).id;
});

const record = (values: Partial<QueryRecord>) => recordRequest(scope, keyId, values);

test("sums, days and senders agree, and refused requests do not lower the times", async () => {
  const before = new Date(Date.now() - 2 * DAY_MS);
  for (const durationMs of [10, 20, 30, 40]) record({ durationMs, answered: true });
  record({ at: before, durationMs: 100, answered: false });
  record({ at: before, durationMs: 0, statusCode: 422, error: "ValidationError: limit", queryText: null, total: 0 });
  record({ origin: "playground", apiKeyId: null, userId: randomUUID(), durationMs: 20, total: 0 });
  record({ at: new Date(Date.now() - 8 * DAY_MS) });

  const usage = await usageOf(scope, SYSTEM_ACTOR, ALL);
  expect(usage).toMatchObject({ requests: 7, errors: 1, answered: 4, unanswered: 2, p50: 25 });
  expect(usage.p95).toBeGreaterThan(40);
  expect(usage.days).toHaveLength(7);
  expect(usage.days.at(-1)).toMatchObject({ day: new Date().toISOString().slice(0, 10), requests: 5, errors: 0 });
  expect(usage.days.at(-3)).toMatchObject({ day: before.toISOString().slice(0, 10), requests: 2, errors: 1, p50: 100 });
  expect(usage.days.at(-2)).toMatchObject({ requests: 0, p50: null });
  const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  expect(usage.since).toBe(dayBefore(8));
  const ofKey = async () => (await usageOf(scope, SYSTEM_ACTOR, { ...ALL, sender: keyId })).since;
  expect(await ofKey()).toBe(dayBefore(0));
  await db.update(apiKeys).set({ createdAt: new Date(Date.now() - 20 * DAY_MS) });
  expect(await ofKey()).toBe(dayBefore(20));
  await db.update(companies).set({ queryRetentionDays: 7 });
  expect(await ofKey()).toBe(dayBefore(6));
  expect(usage.senders).toMatchObject([
    { id: keyId, origin: "api", name: "Website", last4: expect.stringMatching(/^\w{4}$/), requests: 6, errors: 1 },
    { id: null, origin: "playground", name: null, requests: 1 },
  ]);
});

test("a company in its first days has figures by hour, which add up to those of the days", async () => {
  expect((await usageOf(scope, SYSTEM_ACTOR, ALL)).hours).toBeNull();
  const now = new Date();
  const yesterday = new Date(now.getTime() - DAY_MS);
  for (const at of [now, now, yesterday]) record({ at, durationMs: 40 });
  const { hours } = await usageOf(scope, SYSTEM_ACTOR, ALL);
  expect(hours?.at(0)?.hour).toBe(`${yesterday.toISOString().slice(0, 10)}T00`);
  expect(hours?.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  expect(hours?.find(({ hour }) => yesterday.toISOString().startsWith(hour))).toMatchObject({ requests: 1, p50: 40 });
  record({ at: new Date(now.getTime() - 5 * DAY_MS) });
  expect((await usageOf(scope, SYSTEM_ACTOR, ALL)).hours).toBeNull();
});

test("the figures of the hours begin with the first hour of the day before yesterday", async () => {
  const midnight = firstDay(3);
  for (const minutes of [0, 59, 60]) record({ at: new Date(midnight.getTime() + minutes * 60_000) });
  const { hours } = await usageOf(scope, SYSTEM_ACTOR, ALL);
  expect(hours?.slice(0, 3).map(({ requests }) => requests)).toEqual([2, 1, 0]);
});

test("API requests that were counted but are not in the log are added to the playground runs of their day", async () => {
  for (const answered of [true, false]) record({ answered });
  const missing = record({ answered: false });
  record({ origin: "playground", apiKeyId: null, userId: randomUUID(), answered: false });
  await flushQueryLog();
  await scope.transaction((tx) =>
    tx.delete(queryLog).where(and(eq(queryLog.companyId, scope.companyId), eq(queryLog.id, missing))),
  );
  expect(await usageOf(scope, SYSTEM_ACTOR, ALL)).toMatchObject({ requests: 4, answered: 1, unanswered: 3 });
});

test("the activity of a key is its requests by day", async () => {
  record({});
  record({ at: new Date(Date.now() - 2 * DAY_MS) });
  record({ at: new Date(Date.now() - 3 * DAY_MS) });
  record({ origin: "playground", apiKeyId: null, userId: randomUUID() });
  expect([...(await keyActivity(scope, SYSTEM_ACTOR, 3))]).toEqual([[keyId, [1, 0, 1]]]);
});

test("a sender names the adapters that its requests came through", async () => {
  for (const via of ["mcp", null, "dify", "mcp"] as const) record({ via });
  record({ origin: "playground", apiKeyId: null, userId: randomUUID() });
  const { senders } = await usageOf(scope, SYSTEM_ACTOR, ALL);
  expect(senders.map(({ requests, adapters }) => ({ requests, adapters }))).toEqual([
    { requests: 4, adapters: ["dify", "mcp"] },
    { requests: 1, adapters: [] },
  ]);
});

test("days that are no longer in the log are still counted, without times", async () => {
  const old = new Date(Date.now() - 40 * DAY_MS);
  for (const answered of [true, false, false]) record({ at: old, durationMs: 50, answered });
  record({ at: old, statusCode: 422, error: "ValidationError: limit", queryText: null, total: 0 });
  record({ durationMs: 20, answered: true });
  await flushQueryLog();
  await scope.transaction((tx) =>
    tx
      .delete(queryLog)
      .where(and(eq(queryLog.companyId, scope.companyId), lt(queryLog.at, new Date(Date.now() - 30 * DAY_MS)))),
  );

  const usage = await usageOf(scope, SYSTEM_ACTOR, { days: 90, sender: null });
  expect(usage).toMatchObject({ requests: 5, errors: 1, answered: 2, unanswered: 2, p50: 20 });
  const day = old.toISOString().slice(0, 10);
  expect(usage.days.find((each) => each.day === day)).toMatchObject({ requests: 4, errors: 1, p50: null });
  expect(await usageOf(scope, SYSTEM_ACTOR, { days: 90, sender: keyId })).toMatchObject({ requests: 1 });
});

test("days that were deleted from the log are still counted once the log keeps requests longer", async () => {
  const at = (days: number) => new Date(Date.now() - days * DAY_MS);
  for (const days of [20, 20, 7, 7, 2]) record({ at: at(days), durationMs: 50, answered: true });
  const partly = record({ at: at(7), durationMs: 90, answered: true });
  record({ at: at(2), durationMs: 50, origin: "playground", apiKeyId: null, userId: randomUUID(), answered: true });
  await flushQueryLog();
  await scope.transaction((tx) =>
    tx
      .delete(queryLog)
      .where(and(eq(queryLog.companyId, scope.companyId), lt(queryLog.at, at(5)), ne(queryLog.id, partly))),
  );
  await db.update(companies).set({ queryRetentionDays: 90 }).where(eq(companies.id, scope.companyId));

  const { days, requests } = await usageOf(scope, SYSTEM_ACTOR, { days: 30, sender: null });
  const figuresOf = (ago: number) => days.find(({ day }) => day === at(ago).toISOString().slice(0, 10));
  expect(figuresOf(20)).toMatchObject({ requests: 2, answered: 2, p50: null });
  expect(figuresOf(7)).toMatchObject({ requests: 3, answered: 3, p50: 90 });
  expect(figuresOf(2)).toMatchObject({ requests: 2, answered: 2, p50: 50 });
  expect(requests).toBe(7);
});

test("a key's figures are its own, and playground runs belong to no key", async () => {
  record({ queryText: "asked by a key" });
  record({ origin: "playground", apiKeyId: null, userId: randomUUID(), queryText: "tried out" });
  const ofKey = await usageOf(scope, SYSTEM_ACTOR, { days: 7, sender: keyId });
  expect(ofKey.requests).toBe(1);
  expect(ofKey.topQuestions).toEqual([{ question: "asked by a key", times: 1 }]);
  expect((await usageOf(scope, SYSTEM_ACTOR, { days: 7, sender: "playground" })).topQuestions).toMatchObject([
    { question: "tried out" },
  ]);
  expect((await usageOf(scope, SYSTEM_ACTOR, { days: 7, sender: "no such key" })).requests).toBe(0);
});

test("questions are counted ignoring case and spaces; unanswered are those without results or with a refusal", async () => {
  for (const queryText of ["How do I pay?", "how do i pay? ", "Where?"]) record({ queryText, answered: true });
  record({ queryText: "What is lost?", answered: false });
  record({ queryText: "Nothing there", total: 0 });
  record({ queryText: "Refused", statusCode: 403, total: 0 });
  const { topQuestions, unansweredQuestions } = await usageOf(scope, SYSTEM_ACTOR, ALL);
  expect(topQuestions[0]).toMatchObject({ times: 2 });
  expect(unansweredQuestions.map(({ question }) => question).toSorted()).toEqual(["Nothing there", "What is lost?"]);
});

test("the first steps complete by themselves, and stay complete when the log is deleted", async () => {
  const fresh = await newCompany();
  expect(await firstSteps(fresh, SYSTEM_ACTOR)).toEqual({ knowledge: false, asked: false, key: false, called: false });
  await addAndIngest(fresh, document("a.md", "Something to know."));
  recordQuery(fresh.companyId, { id: randomUUID(), at: new Date(), origin: "api", statusCode: 200, total: 1 });
  expect(await firstSteps(fresh, SYSTEM_ACTOR)).toEqual({ knowledge: true, asked: true, key: false, called: true });
  expect(await firstSteps(scope, SYSTEM_ACTOR)).toEqual({ knowledge: false, asked: false, key: true, called: false });
});
