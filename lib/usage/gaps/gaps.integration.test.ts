import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { cachedByCompany } from "../../ai/local/vector-cache.ts";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { createKey } from "../../api-keys/service.ts";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { updateCompanySettings } from "../../companies/service.ts";
import { auditLog, jobs, questionGaps } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { createMember } from "../../members/service.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany, work } from "../../testing/knowledge.ts";
import { recordRequest } from "../../testing/usage.ts";
import { countWaiting } from "../count-waiting.ts";
import { flushQueryLog } from "../record.ts";
import { reportAnswer } from "../report.ts";
import { changeGap } from "./change.ts";
import { listGaps } from "./list.ts";
import { refreshGaps } from "./refresh.ts";
import type { GapView } from "./views.ts";

const { db } = testDatabase();
let scope: TenantScope;
let keyId: string;
let support: Actor;

beforeEach(async () => {
  scope = await newCompany();
  keyId = (await createKey(scope, SYSTEM_ACTOR, { name: "Website" })).id;
  const input = { email: `${crypto.randomUUID()}@example.com`, name: "Sam", role: "support" as const };
  const { id } = await createMember(scope, SYSTEM_ACTOR, { ...input, password: "granite marl slate" });
  support = { type: "user", id, name: "Sam", companyId: scope.companyId, role: "support" };
});

const missed = (queryText: string, more: object = {}) =>
  recordRequest(scope, keyId, { queryText, answered: false, total: 3, ...more });

async function gaps(view: GapView = "open") {
  await refreshGaps(scope);
  return (await listGaps(scope, support, view)).gaps;
}

const texts = async (view?: GapView) => (await gaps(view)).map(({ questions }) => questions.map(({ text }) => text));
const unanswered = async () => (await countWaiting(scope, support)).unanswered;

test("groups unanswered questions by meaning, with counts, keys and the last request", async () => {
  const now = Date.now();
  const at = (minutes: number) => new Date(now - minutes * 60_000);
  missed("How do I cancel my broadband contract?", { at: at(9) });
  missed("how do i cancel my broadband contract? ", { at: at(8), apiKeyId: null, origin: "cli" });
  const last = missed("How can I cancel the broadband contract?", { at: at(3), total: 0, answered: null });
  missed("Where is your nearest shop?", { at: at(2) });
  missed("Only in the playground?", { origin: "playground" });
  recordRequest(scope, keyId, { queryText: "Answered?", answered: true });
  const [first, second, ...others] = await gaps();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    times: 3,
    lastAskedAt: at(3),
    keys: [
      { id: keyId, name: "Website", times: 2 },
      { id: null, times: 1 },
    ],
  });
  expect(first?.questions[1]).toMatchObject({
    text: "How can I cancel the broadband contract?",
    times: 1,
    requestId: last,
  });
  expect(second?.questions[0]?.text).toBe("Where is your nearest shop?");
  expect(await unanswered()).toBe(2);
});

test("two keys of one name are told apart by their last characters", async () => {
  const other = await createKey(scope, SYSTEM_ACTOR, { name: "Website" });
  missed("Where is the shop?");
  missed("Where is the shop?", { apiKeyId: other.id });
  const names = (await gaps()).flatMap(({ keys }) => keys.map(({ name }) => name));
  expect(names).toHaveLength(2);
  expect(names).toContain(`Website (…${other.token.slice(-4)})`);
  expect(names.every((name) => /^Website \(….{4}\)$/.test(name ?? ""))).toBe(true);
});

test("a question leaves the list once it is answered, even in the playground, and returns when it is missed again", async () => {
  missed("Where is the shop?", { at: new Date(Date.now() - 9_000) });
  const [before] = await gaps();
  recordRequest(scope, keyId, {
    queryText: "where is the shop?",
    answered: true,
    origin: "playground",
    at: new Date(Date.now() - 5_000),
  });
  expect(await gaps()).toEqual([]);
  missed("Where is the shop?");
  expect((await gaps())[0]?.id).not.toBe(before?.id);
});

test("a question that found nothing leaves the list once it finds results, without an answer too", async () => {
  missed("Where is the shop?", { total: 0, answered: null, at: new Date(Date.now() - 9_000) });
  expect(await gaps()).toHaveLength(1);
  recordRequest(scope, keyId, { queryText: "Where is the shop?", total: 2, answered: null });
  expect(await gaps()).toEqual([]);
});

test("a question with an open report is a gap until the report is resolved", async () => {
  const requestId = recordRequest(scope, keyId, { queryText: "What does a visit cost?", answered: true });
  await reportAnswer(scope, support, { requestId, question: "What does a visit cost?", answer: "A", note: "" });
  expect(await gaps()).toMatchObject([{ times: 0, reports: 1, questions: [{ requestId }] }]);
  expect(await countWaiting(scope, support)).toMatchObject({ reports: 1, unanswered: 0 });
  await db.execute(sql`update ragstone.answer_reports set resolved_at = now() where request_id = ${requestId}`);
  expect(await gaps()).toEqual([]);
});

test("is assigned, snoozed, dismissed and reopened, and keeps that when it is asked again", async () => {
  missed("Where is the shop?");
  const id = (await gaps())[0]?.id ?? "";
  await changeGap(scope, support, { do: "assign", id, userId: support.id ?? "" });
  expect(await gaps("mine")).toMatchObject([{ id, assigneeName: "Sam" }]);
  await changeGap(scope, support, { do: "dismiss", id, reason: "Not our business" });
  missed("where is the SHOP?");
  expect(await gaps("dismissed")).toMatchObject([
    { id, times: 2, dismissedBy: "Sam", dismissReason: "Not our business" },
  ]);
  expect([await texts(), await unanswered()]).toEqual([[], 0]);
  await changeGap(scope, support, { do: "snooze", id, days: 7 });
  expect([await texts("snoozed"), await texts("dismissed"), await unanswered()]).toMatchObject([
    [[expect.any(String)]],
    [],
    0,
  ]);
  await db.update(questionGaps).set({ snoozedUntil: sql`now() - interval '1 minute'` }).where(eq(questionGaps.id, id));
  expect(await gaps()).toMatchObject([{ id }]);
  await changeGap(scope, support, { do: "reopen", id });
  const stranger = changeGap(scope, support, { do: "assign", id, userId: crypto.randomUUID() });
  await expect(stranger).rejects.toMatchObject({ error: "NotFound" });
  const events = await db.select().from(auditLog).where(eq(auditLog.companyId, scope.companyId));
  expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(["gap.assigned", "gap.dismissed"]));
  expect(JSON.stringify(events)).not.toMatch(/shop/i);
});

test("stays assigned, snoozed or dismissed when many other questions are asked after it", async () => {
  RUNNING_MODELS.set({ ...createModels(env()), embedFor: () => async (texts) => texts.map(() => []) });
  try {
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const names = ["assigned", "snoozed", "dismissed", "dismissed and answered", "untouched"];
    for (const name of names) missed(name, { at: at(9) });
    const ids = new Map((await gaps()).map(({ id, questions }) => [questions[0]?.text, id]));
    const idOf = (name: string) => ids.get(name) ?? expect.fail();
    await changeGap(scope, support, { do: "assign", id: idOf("assigned"), userId: support.id ?? "" });
    await changeGap(scope, support, { do: "snooze", id: idOf("snoozed"), days: 7 });
    for (const name of ["dismissed", "dismissed and answered"]) {
      await changeGap(scope, support, { do: "dismiss", id: idOf(name), reason: "Not our business" });
    }
    recordRequest(scope, keyId, { queryText: "dismissed and answered", answered: true });
    for (let index = 0; index < 300; index++) missed(`Question ${index}?`, { at: at(5) });

    const all = async () => (await gaps("mine")).concat(await gaps("snoozed"), await gaps("dismissed"));
    expect(await all()).toMatchObject([
      { id: idOf("assigned"), assigneeName: "Sam", times: 1 },
      { id: idOf("snoozed"), keys: [{ id: keyId, times: 1 }] },
      { id: idOf("dismissed"), dismissReason: "Not our business" },
    ]);
    const company = eq(questionGaps.companyId, scope.companyId);
    expect(await db.$count(questionGaps, company)).toBe(303);
    expect(await db.$count(questionGaps, and(company, eq(questionGaps.id, idOf("untouched"))))).toBe(0);
  } finally {
    RUNNING_MODELS.set();
  }
});

test("counts and closes questions over all of a large log", async () => {
  const start = Date.now() - 60_000;
  const ROWS = 4_500;
  for (const shop of ["where is shop ", "Where is shop "]) {
    // every ninth row finds something; the last of them after all misses of shop 0
    await db.execute(sql`
      insert into ragstone.query_log (company_id, id, at, origin, status_code, duration_ms, query_text, total)
      select ${scope.companyId}, gen_random_uuid(), ${new Date(start).toISOString()}::timestamptz + n * interval '1 ms', 'api', 200, 1,
        ${shop} || n % 9, case when n % 9 = 0 and n > ${ROWS - 9}::int then 1 else 0 end
      from generate_series(1, ${ROWS}::int) as n`);
  }
  await refreshGaps(scope);
  const stored = await db.select().from(questionGaps).where(eq(questionGaps.companyId, scope.companyId));
  const questions = stored.flatMap((gap) => gap.questions).sort((a, b) => (a.key < b.key ? -1 : 1));
  expect(questions.map(({ key, times }) => [key, times])).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((shop) => [`where is shop ${shop}`, (2 * ROWS) / 9]),
  );
});

test("lives as long as the log, and not at all where queries are hashed", async () => {
  missed("Where is the shop?");
  expect(await gaps()).toHaveLength(1);
  await db.execute(
    sql`update ragstone.query_log set at = now() - interval '40 days' where company_id = ${scope.companyId}`,
  );
  await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
  await work(scope);
  const kept = () => db.$count(questionGaps, eq(questionGaps.companyId, scope.companyId));
  expect(await kept()).toBe(0);

  missed("Where is the shop?");
  await flushQueryLog();
  expect(await gaps()).toHaveLength(1);
  await updateCompanySettings(scope, SYSTEM_ACTOR, { hashQueries: true });
  await refreshGaps(scope);
  expect(await kept()).toBe(0);
});

test("the list does not wait for questions that take long to group", async () => {
  const others = createModels(env());
  const embedded = Promise.withResolvers<number[][]>();
  RUNNING_MODELS.set({ ...others, embedFor: () => () => embedded.promise });
  try {
    missed("Which platform does the night train leave from?");
    expect((await listGaps(scope, support, "open")).gaps).toEqual([]);
    embedded.resolve([[1]]);
    await expect.poll(async () => (await listGaps(scope, support, "open")).gaps.length).toBe(1);
  } finally {
    RUNNING_MODELS.set();
  }
});

test("lists share a refresh, however long it takes, and start no other one until 15 seconds after its end", async () => {
  const others = createModels(env());
  const embedded = Promise.withResolvers<number[][]>();
  const embed = vi.fn((_texts: string[]) => embedded.promise);
  RUNNING_MODELS.set({ ...others, embedFor: () => embed });
  const listed = async () => (await listGaps(scope, support, "open")).gaps.length;
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passedMs);
  try {
    missed("Which platform does the night train leave from?");
    expect(await Promise.all([listed(), listed()])).toEqual([0, 0]);
    passedMs += 20_000;
    expect(await listed()).toBe(0);
    expect(embed).toHaveBeenCalledTimes(1);
    embedded.resolve([[1]]);
    await expect.poll(listed).toBe(1);
    missed("May I take my accordion on board?");
    passedMs += 5_000;
    expect(await listed()).toBe(1);
    embed.mockImplementation(async (texts) => texts.map((_, index) => [Number(index === 0), Number(index > 0)]));
    passedMs += 20_000;
    await expect.poll(listed, { timeout: 20_000 }).toBe(2);
  } finally {
    clock.mockRestore();
    RUNNING_MODELS.set();
  }
});

test("a question is embedded again for another company", async () => {
  const text = "Do you repair accordions?";
  const embed = vi.fn(async (texts: string[]) => texts.map(() => [1]));
  RUNNING_MODELS.set({ ...createModels(env()), embedTexts: embed, embedFor: cachedByCompany(embed) });
  try {
    for (const company of [scope, await newCompany()]) {
      embed.mockClear();
      recordRequest(company, keyId, { queryText: text, answered: false, apiKeyId: null, origin: "cli" });
      await refreshGaps(company);
      expect(embed.mock.calls).toEqual([[[text], undefined]]);
    }
  } finally {
    RUNNING_MODELS.set();
  }
});
