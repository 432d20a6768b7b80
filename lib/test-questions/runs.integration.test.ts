import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { jobs, testRuns } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { startTestRun } from "./runs.ts";
import { saveTestQuestion } from "./service.ts";

const { db } = testDatabase();

const QUESTION = { id: null, question: "How long is the notice period?", mustRefuse: true };

test("members who start a run at the same moment start one", async () => {
  const scope = await newCompany();
  await saveTestQuestion(scope, CLI_ACTOR, QUESTION);
  const times = Array.from({ length: 8 });
  // so that every start has an open connection
  await Promise.all(times.map(() => scope.transaction((tx) => tx.execute(sql`select pg_sleep(0.1)`))));
  await Promise.all(times.map(() => startTestRun(scope, CLI_ACTOR)));
  expect(await db.$count(testRuns, eq(testRuns.companyId, scope.companyId))).toBe(1);
});

test("a scheduled run is not started beside one that a member started", async () => {
  const scope = await newCompany();
  const { companyId } = scope;
  await saveTestQuestion(scope, CLI_ACTOR, QUESTION);
  await db.insert(jobs).values({ companyId, kind: "test", lane: "slow" });
  await startTestRun(scope, CLI_ACTOR);
  await work(scope);
  const runs = await db.select().from(testRuns).where(eq(testRuns.companyId, companyId));
  expect(runs).toMatchObject([{ startedBy: CLI_ACTOR.name, passed: 1, finishedAt: expect.any(Date) }]);
  expect(await db.$count(jobs, and(eq(jobs.companyId, companyId), eq(jobs.state, "done")))).toBe(2);
});
