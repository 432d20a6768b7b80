import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLI_ACTOR } from "../audit/record.ts";
import { testRuns } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { startTestRun } from "./runs.ts";
import { saveTestQuestion } from "./service.ts";

const { db } = testDatabase();

test("members who start a run at the same moment start one", async () => {
  const scope = await newCompany();
  await saveTestQuestion(scope, CLI_ACTOR, { id: null, question: "How long is the notice period?", mustRefuse: true });
  const times = Array.from({ length: 8 });
  // so that every start has an open connection
  await Promise.all(times.map(() => scope.transaction((tx) => tx.execute(sql`select pg_sleep(0.1)`))));
  await Promise.all(times.map(() => startTestRun(scope, CLI_ACTOR)));
  expect(await db.$count(testRuns, eq(testRuns.companyId, scope.companyId))).toBe(1);
});
