import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { auditLog, queryLog, questionGaps, suggestions } from "../db/schema/index.ts";
import { DAY_MS } from "../durations.ts";
import { renamePerson } from "../members/account.ts";
import { testCompany, testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { type AuditQuery, browseAudit, EVENTS_PER_PAGE } from "./browse.ts";
import { SYSTEM_ACTOR } from "./record.ts";

const { db } = testDatabase();
const ALL: AuditQuery = { actor: null, action: null, from: null, to: null, page: 1 };

test("events are filtered by actor, action and days, both days included", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "admin", "Ada Marl");
  const key = await createKey(scope, actor, { name: "Website" });
  await revokeKey(scope, actor, key.id);
  const day = (shift: number) => new Date(new Date(Date.now() + shift * DAY_MS).toISOString().slice(0, 10));

  const own = await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, actor: "Ada Marl" });
  expect(own.rows).toMatchObject([
    { action: "api_key.revoked", targetName: "Website" },
    { action: "api_key.created", targetName: "Website" },
  ]);
  expect(own.actors).toContainEqual(expect.objectContaining({ name: "Ada Marl", count: 2 }));
  expect(own.actions).toContain("member.added");
  const created = await browseAudit(scope, SYSTEM_ACTOR, {
    ...ALL,
    action: "api_key.created",
    from: day(0),
    to: day(0),
  });
  expect(created.total).toBe(1);
  expect((await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, to: day(-1) })).total).toBe(0);
  expect((await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, from: day(1) })).total).toBe(0);
  const always = { ...ALL, actor: "Ada Marl", from: new Date("0001-01-01"), to: new Date("9999-12-31") };
  expect((await browseAudit(scope, SYSTEM_ACTOR, always)).total).toBe(2);
});

test("a person who changes their name stays one actor, apart from others with that name", async () => {
  const scope = await testCompany();
  const [ada, bob] = [await testMember(scope, "admin", "Ada Marl"), await testMember(scope, "admin", "Bob Chert")];
  await createKey(scope, ada.actor, { name: "By Ada" });
  await renamePerson(ada.id, { name: "Bob Chert" });
  await renamePerson(ada.id, { name: "Bob Chert" });
  await createKey(scope, { ...ada.actor, name: "Bob Chert" }, { name: "By the new Bob" });
  await createKey(scope, bob.actor, { name: "By Bob" });

  const own = await browseAudit(scope, bob.actor, { ...ALL, actor: ada.id });
  expect(own.rows.map(({ action, actorName, targetName }) => [action, actorName, targetName])).toEqual([
    ["api_key.created", "Bob Chert", "By the new Bob"],
    ["member.renamed", "Ada Marl", ada.email],
    ["api_key.created", "Ada Marl", "By Ada"],
  ]);
  expect(own.rows[1]?.detail).toEqual({ from: "Ada Marl", to: "Bob Chert" });
  expect(own.actors).toEqual(
    expect.arrayContaining([
      { id: ada.id, name: "Bob Chert", email: ada.email, count: 3 },
      { id: bob.id, name: "Bob Chert", email: bob.email, count: 1 },
      { id: "Ragstone", name: "Ragstone", email: null, count: expect.any(Number) },
    ]),
  );
});

test("the actors and actions to filter by are read again only when the log has more events", async () => {
  const scope = await testCompany();
  const { actor } = await testMember(scope, "admin", "Ada Marl");
  const choices = async (query: Partial<AuditQuery> = {}) => {
    const { actors, actions } = await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, ...query });
    return { actors: actors.map(({ name, count }) => `${name} ${count}`), actions };
  };
  const before = await choices();
  expect(before).toEqual({ actors: ["Ragstone 2"], actions: ["company.created", "member.added"] });
  // nothing changes an event but its target and details
  await db.update(auditLog).set({ actorName: "Nobody" }).where(eq(auditLog.companyId, scope.companyId));
  expect(await choices()).toEqual(before);
  expect(await choices({ action: "member.added", from: new Date("2020-01-01") })).toEqual(before);
  await createKey(scope, actor, { name: "Website" });
  expect(await choices()).toEqual({
    actors: ["Ada Marl 1", "Nobody 2"],
    actions: ["api_key.created", "company.created", "member.added"],
  });
});

test("a selected action is listed even when the log has none", async () => {
  const scope = await testCompany();
  const { total, actions } = await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, action: "company.retrieval_changed" });
  expect(total).toBe(0);
  expect(actions).toEqual(["company.created", "company.retrieval_changed"]);
});

test("a page after the last one shows the last one", async () => {
  const scope = await testCompany();
  const event = { companyId: scope.companyId, actorType: "cli", actorName: "Operator", action: "thing.done" } as const;
  const target = { targetType: "thing", targetId: "1", targetName: "Thing" };
  await db.insert(auditLog).values(Array.from({ length: EVENTS_PER_PAGE + 3 }, () => ({ ...event, ...target })));
  const { page, rows, total } = await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, actor: "Operator", page: 99 });
  expect({ page, rows: rows.length, total }).toEqual({ page: 2, rows: 3, total: EVENTS_PER_PAGE + 3 });
});

test("requests, unanswered questions and suggestions have the start of their question while it is kept", async () => {
  const [scope, other] = [await testCompany(), await testCompany()];
  const { companyId } = scope;
  const [request, long, foreign, gap] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const [suggestion, gone] = [randomUUID(), randomUUID()];
  const asked = { origin: "api", statusCode: 200 } as const;
  await db.insert(queryLog).values([
    { ...asked, companyId, id: request, queryText: "How long?" },
    { ...asked, companyId, id: long, queryText: "long ".repeat(1_600) },
    { ...asked, companyId: other.companyId, id: foreign, queryText: "Secret?" },
  ]);
  const questions = [{ key: "how much", text: "How much?", times: 2, requestId: request }];
  const counts = { times: 2, reports: 0, keys: [], lastAskedAt: new Date() };
  await db.insert(questionGaps).values({ companyId, id: gap, questions, ...counts });
  const content = { kind: "qa" as const, question: "How far?", answer: "A mile.", alternatives: [] };
  await db.insert(suggestions).values({ companyId, id: suggestion, content, userId: randomUUID() });
  const event = { companyId, actorType: "cli", actorName: "Operator", action: "thing.done" } as const;
  const about = (targetType: string, id: string) => ({ ...event, targetType, targetId: id, targetName: id });
  const targets = [about("request", request), about("gap", gap), about("suggestion", suggestion)];
  const requests = [long, gone, foreign].map((id) => about("request", id));
  await db.insert(auditLog).values([...targets, ...requests]);
  const { rows } = await browseAudit(scope, SYSTEM_ACTOR, { ...ALL, actor: "Operator" });
  const named = new Map(rows.map(({ targetId, targetName }) => [targetId, targetName]));
  expect([request, gap, suggestion].map((id) => named.get(id))).toEqual(["How long?", "How much?", "How far?"]);
  expect(named.get(long)).toMatch(/^(long ){30,}.*…$/);
  expect(named.get(long)?.length).toBeLessThanOrEqual(200);
  expect([gone, foreign].map((id) => named.get(id))).toEqual([gone, foreign]);
});
