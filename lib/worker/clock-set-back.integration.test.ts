import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs, sources, testQuestions, testRuns } from "../db/schema/index.ts";
import { startTestRun } from "../test-questions/runs.ts";
import { saveTestQuestion } from "../test-questions/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../testing/knowledge.ts";
import { scheduleMaintenance, scheduleTestRuns } from "./maintain.ts";

const { db } = testDatabase();

/** The time of rows that were written before the clock was set back by three hours. */
const LATER = sql`now() + interval '3 hours'`;

const countQueued = (companyId: string, kind: "maintain" | "test") =>
  db.$count(jobs, and(eq(jobs.companyId, companyId), eq(jobs.kind, kind), eq(jobs.state, "queued")));

test("a company gets its hourly job although an earlier one is later than now", async () => {
  const { companyId } = await newCompany();
  await db.insert(jobs).values({ companyId, kind: "maintain", lane: "slow", state: "done", createdAt: LATER });
  await scheduleMaintenance();
  expect(await countQueued(companyId, "maintain")).toBe(1);
});

test("test questions run once after a change although an earlier run or change is later than now", async () => {
  const scope = await newCompany();
  const { companyId } = scope;
  await addAndIngest(scope, document("terms.md", "The notice period is 30 days."));
  const question = "How long is the notice period?";
  await saveTestQuestion(scope, SYSTEM_ACTOR, { id: null, question, expectedSource: "terms.md" });
  await startTestRun(scope, SYSTEM_ACTOR);
  await work(scope);
  await db.update(testRuns).set({ createdAt: LATER }).where(eq(testRuns.companyId, companyId));
  await db.update(sources).set({ updatedAt: LATER }).where(eq(sources.companyId, companyId));
  const changed = { updatedAt: sql`now() - interval '1 minute'` };
  await db.update(testQuestions).set(changed).where(eq(testQuestions.companyId, companyId));
  await scheduleTestRuns();
  expect(await countQueued(companyId, "test")).toBe(1);
  await work(scope);
  await scheduleTestRuns();
  expect(await countQueued(companyId, "test")).toBe(0);
});
