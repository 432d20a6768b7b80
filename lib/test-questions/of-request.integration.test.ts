import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { queryLog } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../testing/knowledge.ts";
import { flushQueryLog } from "../usage/record.ts";
import { startTestRun } from "./runs.ts";
import { listTestQuestions, saveTestQuestion } from "./service.ts";

const { db } = testDatabase();

const TERMS = "The notice period of every contract is 30 days. Notice is given in writing.";

test("a test question asks with the filters of the request that it comes from, and is added once", async () => {
  const scope = await newCompany();
  await addAndIngest(
    scope,
    document("eu.md", TERMS, { metadata: { region: "EU", year: 2024 } }),
    document("us.md", TERMS, { metadata: { region: "US", year: 2024 } }),
  );
  const requestId = randomUUID();
  const question = "How long is the notice period?";
  const metadata = { region: "US", or: [{ year: { gte: 2024 } }, { note: { exists: true } }] };
  await ask(scope, { queryText: question, filters: { sourceTypes: ["document"], metadata } }, { requestId });
  await flushQueryLog();
  const input = { id: null, question, requestId };
  await saveTestQuestion(scope, CLI_ACTOR, { ...input, expectedSource: "us.md" });
  await saveTestQuestion(scope, CLI_ACTOR, { ...input, excludedSource: "us.md" });
  await expect(saveTestQuestion(scope, CLI_ACTOR, { ...input, expectedSource: "us.md" })).rejects.toMatchObject({
    error: "Conflict",
  });
  await startTestRun(scope, CLI_ACTOR);
  await work(scope);
  const { rows } = await listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "" }, 1);
  const problems = rows.flatMap(({ outcome }) => outcome?.problems.map(({ kind }) => kind) ?? []);
  expect(problems).toEqual(["source_found"]);
});

test("a test question keeps its request's id, and the list says whether the log still has the request", async () => {
  const scope = await newCompany();
  const [requestId, expired] = [randomUUID(), randomUUID()];
  for (const id of [requestId, expired]) {
    await ask(scope, { queryText: "Is it there?" }, { requestId: id });
    await saveTestQuestion(scope, CLI_ACTOR, {
      id: null,
      question: `Is ${id} there?`,
      requestId: id,
      mustRefuse: true,
    });
  }
  await db.delete(queryLog).where(eq(queryLog.id, expired));
  const { rows, requests } = await listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "" }, 1);
  expect(rows.map((row) => row.requestId).sort()).toEqual([requestId, expired].sort());
  expect(requests).toEqual(new Set([requestId]));
});
