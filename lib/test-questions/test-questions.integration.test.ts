import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { type Actor, CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs, queryLog, testQuestions, usageDaily } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { makeXlsx } from "../knowledge/parse/sheet-fixtures.ts";
import { deleteSource } from "../knowledge/service.ts";
import { verifyAnswers } from "../knowledge/verify/verify.ts";
import { DEFAULT_SETTINGS } from "../retrieval-settings/schema.ts";
import { saveRetrievalSettings } from "../retrieval-settings/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../testing/knowledge.ts";
import { flushQueryLog } from "../usage/record.ts";
import { scheduleTestRuns } from "../worker/maintain.ts";
import { changesBeforeFailures } from "./changes.ts";
import { importTestQuestions, testQuestionsAsCsv } from "./csv.ts";
import { startTestRun, testRunHistory } from "./runs.ts";
import type { TestQuestionInput } from "./schema.ts";
import { deleteTestQuestion, listTestQuestions, saveTestQuestion } from "./service.ts";

const { db } = testDatabase();
const TERMS = "The notice period of every contract is 30 days. Notice is given in writing.";

function supportOf({ companyId }: TenantScope): Actor {
  return { type: "user", id: randomUUID(), name: "Sara Support", companyId, role: "support" };
}

async function run(scope: TenantScope): Promise<void> {
  await startTestRun(scope, supportOf(scope));
  await work(scope);
}

async function listed(scope: TenantScope) {
  return listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "" }, 1);
}

async function companyWith(...inputs: Partial<TestQuestionInput>[]): Promise<TenantScope> {
  const scope = await newCompany();
  await addAndIngest(scope, document("terms.md", TERMS), document("router.md", "The router has two green lights."));
  for (const input of inputs) {
    await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: "How long is the notice period?", ...input });
  }
  return scope;
}

test("a run judges sources, facts and refusals, and counts nowhere as a request", async () => {
  const scope = await companyWith(
    { expectedSource: "terms.md" },
    { facts: ["30 days | thirty days"] },
    { facts: ["90 days"] },
    { excludedSource: "terms.md" },
    { mustRefuse: true },
    { question: "Who walked on the moon?", mustRefuse: true },
  );
  await run(scope);
  const { rows, counts } = await listed(scope);
  expect(counts).toEqual({ passed: 3, failed: 3, unknown: 0, new: 0 });
  const problems = rows.flatMap(({ outcome }) => outcome?.problems.map(({ kind }) => kind) ?? []);
  expect(problems.sort()).toEqual(["answered", "fact_missing", "source_found"]);
  const { last, current, days } = await testRunHistory(scope, SYSTEM_ACTOR);
  expect(last).toMatchObject({ total: 6, passed: 3, failed: 3, startedBy: "Sara Support" });
  expect(current).toBeNull();
  expect(days.at(-1)?.rate).toBe(0.5);
  await flushQueryLog();
  expect(await db.$count(queryLog, eq(queryLog.companyId, scope.companyId))).toBe(0);
  expect(await db.$count(usageDaily, eq(usageDaily.companyId, scope.companyId))).toBe(0);
});

test("a run keeps the copies of the verified answer that it found", async () => {
  const scope = await newCompany();
  const hours = { sourceType: "qa", question: "When do you open?", answer: "We open at nine." };
  const [verified] = await addAndIngest(scope, { ...hours, sourceId: "b-hours" }, { ...hours, sourceId: "a-copy" });
  await verifyAnswers(scope, CLI_ACTOR, { ids: [verified?.id ?? ""], until: null });
  await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: hours.question, expectedSource: "a-copy" });
  await run(scope);
  const { rows } = await listed(scope);
  expect(rows[0]?.outcome?.verified).toEqual({ sourceId: "b-hours", closeness: 1, alsoIn: ["a-copy"] });
});

test("sources have their titles, which the search finds, with the identifier where two share one", async () => {
  const scope = await newCompany();
  const named = (sourceId: string, title: string) => ({ ...document(sourceId, `${TERMS} ${sourceId}`), title });
  const [old] = await addAndIngest(scope, named("a.md", "Notice"), named("b.md", "Notice"), named("c.md", "Routers"));
  await deleteSource(scope, CLI_ACTOR, old?.id ?? "");
  for (const expectedSource of ["a.md", "b.md", "never.md"]) {
    await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: "How long is it?", expectedSource });
  }
  await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: "How long is it?", excludedSource: "c.md" });
  const { names } = await listed(scope);
  expect(Object.fromEntries(names)).toEqual({
    "a.md": "“Notice” (a.md, deleted)",
    "b.md": "“Notice” (b.md)",
    "c.md": "“Routers”",
  });
  const found = await listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "router" }, 1);
  expect(found.rows).toMatchObject([{ excludedSource: "c.md" }]);
});

test("a failure names the version, and then the deletion, that came after the last pass", async () => {
  const scope = await companyWith(
    { facts: ["30 days"] },
    { expectedSource: "router.md", question: "How many lights?" },
  );
  await run(scope);
  expect((await listed(scope)).counts.passed).toBe(2);
  const [router] = await addAndIngest(scope, document("router.md", "The router has three red lights."));
  await addAndIngest(scope, document("terms.md", TERMS.replace("30", "60")));
  await deleteSource(scope, CLI_ACTOR, router?.id ?? "");
  await run(scope);
  const { rows } = await listed(scope);
  const changes = await changesBeforeFailures(scope, SYSTEM_ACTOR, rows);
  const causeOf = (name: string) => {
    const { id } = rows.find(({ question }) => question.includes(name)) ?? expect.fail();
    return changes.get(id)?.changes[0]?.what;
  };
  expect(causeOf("notice")).toMatchObject({ kind: "version", sourceId: "terms.md", number: 2 });
  expect(causeOf("lights")).toMatchObject({ kind: "deleted", sourceId: "router.md" });

  await addAndIngest(scope, document("terms.md", TERMS));
  await run(scope);
  const notice = (await listed(scope)).rows.find(({ question }) => question.includes("notice"));
  expect(notice).toMatchObject({ state: "passed", failedAt: null });
});

test("changed retrieval settings start a run, and are named when they broke something", async () => {
  const scope = await companyWith({ expectedSource: "terms.md" });
  await run(scope);
  await saveRetrievalSettings(scope, CLI_ACTOR, { ...DEFAULT_SETTINGS, scoreThreshold: 1 });
  const { companyId } = scope;
  for (const [table, column] of [
    ["test_runs", "created_at"],
    ["sources", "updated_at"],
    ["test_questions", "updated_at"],
  ]) {
    await db.execute(
      `update ragstone.${table} set ${column} = ${column} - interval '2 minutes' where company_id = '${companyId}'`,
    );
  }
  await scheduleTestRuns();
  expect(await db.$count(jobs, and(eq(jobs.companyId, companyId), eq(jobs.state, "queued")))).toBe(0);
  await db.execute(sql`update ragstone.companies set retrieval_changed_at = retrieval_changed_at - interval '1 minute'
    where id = ${companyId}`);
  await scheduleTestRuns();
  await work(scope);
  const { rows } = await listed(scope);
  const changes = await changesBeforeFailures(scope, SYSTEM_ACTOR, rows);
  expect(changes.get(rows[0]?.id ?? "")?.changes[0]).toMatchObject({ what: { kind: "retrieval" }, by: CLI_ACTOR.name });
});

test("a question as a key sees what the key sees, and cannot be asked once the key is revoked", async () => {
  const scope = await newCompany();
  await addAndIngest(scope, document("terms.md", TERMS, { path: ["Legal"] }), document("other.md", "Other things."));
  const { id: apiKeyId } = await createKey(scope, CLI_ACTOR, { name: "Legal", policy: { path: ["Other"] } });
  const asKey = { id: null, question: "How long is the notice period?", apiKeyId, excludedSource: "terms.md" };
  await saveTestQuestion(scope, CLI_ACTOR, asKey);
  await run(scope);
  expect((await listed(scope)).rows[0]).toMatchObject({ state: "passed" });
  await revokeKey(scope, CLI_ACTOR, apiKeyId);
  await run(scope);
  expect((await listed(scope)).rows[0]).toMatchObject({ state: "unknown", outcome: { problems: [{ kind: "error" }] } });
  await expect(saveTestQuestion(scope, CLI_ACTOR, asKey)).rejects.toThrow(
    "apiKeyId: Choose an active key, or Everyone",
  );
  expect((await testRunHistory(scope, SYSTEM_ACTOR)).last).toMatchObject({ passed: 0, failed: 0, total: 1 });
});

test("a question that is too long for retrieval is refused, and one that was stored earlier does not end a run", async () => {
  const long = "😀".repeat(4_001);
  const scope = await companyWith({ expectedSource: "terms.md" }, { question: "Where?", expectedSource: "terms.md" });
  await expect(saveTestQuestion(scope, CLI_ACTOR, { id: null, question: long })).rejects.toMatchObject({
    error: "ValidationError",
  });
  await db.update(testQuestions).set({ question: long }).where(eq(testQuestions.question, "Where?"));
  await run(scope);
  expect((await listed(scope)).counts).toEqual({ passed: 1, failed: 0, unknown: 1, new: 0 });
});

test("runs by itself once after a change or a verification, when nothing has changed for a while", async () => {
  const scope = await companyWith({ expectedSource: "terms.md" });
  const hours = { sourceType: "qa", sourceId: "hours", question: "When do you open?", answer: "We open at nine." };
  const [answer] = await addAndIngest(scope, hours);
  const runs = async () => (await testRunHistory(scope, SYSTEM_ACTOR)).last?.id ?? null;
  const makeOld = () =>
    db.execute(`update ragstone.sources set updated_at = updated_at - interval '1 minute' where company_id = '${scope.companyId}';
    update ragstone.test_questions set updated_at = updated_at - interval '1 minute' where company_id = '${scope.companyId}'`);
  await scheduleTestRuns();
  await work(scope);
  expect(await runs()).toBeNull();
  await makeOld();
  await scheduleTestRuns();
  await scheduleTestRuns();
  await work(scope);
  const first = await runs();
  expect(first).not.toBeNull();
  expect((await testRunHistory(scope, SYSTEM_ACTOR)).last?.startedBy).toBeNull();
  await scheduleTestRuns();
  await work(scope);
  expect(await runs()).toBe(first);

  await db.execute(sql`update ragstone.test_runs set created_at = created_at - interval '2 minutes'
    where company_id = ${scope.companyId}`);
  await verifyAnswers(scope, CLI_ACTOR, { ids: [answer?.id ?? ""], until: null });
  await makeOld();
  await scheduleTestRuns();
  await work(scope);
  expect(await runs()).not.toBe(first);
});

test("support staff change test questions, and a changed question has no outcome", async () => {
  const scope = await companyWith({ expectedSource: "terms.md" });
  await run(scope);
  const [row] = (await listed(scope)).rows;
  const id = row?.id ?? "";
  const changed = { id, question: "Other?", expectedSource: "router.md" };
  await saveTestQuestion(scope, supportOf(scope), changed);
  expect((await listed(scope)).rows[0]).toMatchObject({ question: "Other?", state: null, passedAt: null });
  await deleteTestQuestion(scope, supportOf(scope), id);
  await expect(deleteTestQuestion(scope, CLI_ACTOR, id)).rejects.toMatchObject({ error: "NotFound" });
  await expect(startTestRun(scope, CLI_ACTOR)).rejects.toMatchObject({ error: "Conflict" });
  const nothing = { id: null, question: "What is expected?" };
  await expect(saveTestQuestion(scope, CLI_ACTOR, nothing)).rejects.toMatchObject({ error: "ValidationError" });
});

test("the CSV file holds all questions, and importing it adds only those that are missing", async () => {
  const scope = await companyWith(
    { expectedSource: "terms.md", excludedSource: "router.md" },
    { facts: ["30 days | a month", "in writing"] },
    { mustRefuse: true },
  );
  const csv = await testQuestionsAsCsv(scope, supportOf(scope));
  const other = await newCompany();
  const file = { fileName: "questions.csv", bytes: Buffer.from(`${csv}Nothing expected,,,,\r\n`) };
  expect(await importTestQuestions(other, CLI_ACTOR, file)).toMatchObject({ added: 3, known: 0, invalid: 1 });
  expect(await importTestQuestions(other, CLI_ACTOR, file)).toMatchObject({ added: 0, known: 3 });
  const bytes = Buffer.from(await testQuestionsAsCsv(other, CLI_ACTOR));
  expect(await importTestQuestions(scope, CLI_ACTOR, { fileName: "back.csv", bytes })).toMatchObject({ known: 3 });
});

test("a file of 1,000 test questions is imported whatever its other sheets hold, and a longer one is refused", async () => {
  const rowsOf = (count: number) => [
    ["Question", "facts"],
    ...Array.from({ length: count }, (_, index) => [`Question ${index}?`, `Fact ${index}`]),
  ];
  const bookOf = (sheets: Record<string, string[][]>) => ({ fileName: "questions.xlsx", bytes: makeXlsx(sheets) });
  const scope = await newCompany();
  await expect(importTestQuestions(scope, CLI_ACTOR, bookOf({ Tests: rowsOf(1_001) }))).rejects.toThrow(
    "The file has more than 1,000 rows. Split it into smaller files.",
  );
  const outcome = await importTestQuestions(
    scope,
    CLI_ACTOR,
    bookOf({ Tests: rowsOf(1_000), Collected: rowsOf(1_001) }),
  );
  expect(outcome).toMatchObject({ added: 1_000, invalid: 0 });
});

test("facts and questions that begin like a formula survive their CSV file", async () => {
  const facts = ["+49 800 555 100", "-5 degrees"];
  const scope = await companyWith(
    { question: "@support: which number?", facts },
    { question: "'+1?", mustRefuse: true },
  );
  const bytes = Buffer.from(await testQuestionsAsCsv(scope, CLI_ACTOR));
  const other = await newCompany();
  await importTestQuestions(other, CLI_ACTOR, { fileName: "questions.csv", bytes });
  const { rows } = await listed(other);
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(expect.objectContaining({ question: "@support: which number?", facts }));
  expect(rows).toContainEqual(expect.objectContaining({ question: "'+1?", mustRefuse: true }));
});
