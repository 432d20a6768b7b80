import { expect, test } from "vitest";
import { createKey, rotateKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { startDuring } from "../testing/start-during.ts";
import { addTestQuestions, listTestQuestions, saveTestQuestion, type TestQuestion } from "./service.ts";

const { db } = testDatabase();

async function listed(scope: TenantScope): Promise<TestQuestion[]> {
  return (await listTestQuestions(scope, SYSTEM_ACTOR, { state: null, search: "" }, 1)).rows;
}

async function add(scope: TenantScope, question: string): Promise<TestQuestion> {
  await saveTestQuestion(scope, CLI_ACTOR, { id: null, question, mustRefuse: true });
  return (await listed(scope)).find((row) => row.question === question) ?? expect.fail();
}

test("of two people who change the same test question, the second is told and overwrites nothing", async () => {
  const scope = await newCompany();
  const { id, updatedAt } = await add(scope, "Who?");
  const changed = { id, updatedAt, mustRefuse: true };
  await saveTestQuestion(scope, CLI_ACTOR, { ...changed, question: "Who first?" });
  const second = saveTestQuestion(scope, CLI_ACTOR, { ...changed, question: "Who second?" });
  await expect(second).rejects.toMatchObject({
    error: "Conflict",
    message: expect.stringContaining("Reload the page"),
  });
  const [row] = await listed(scope);
  expect(row).toMatchObject({ question: "Who first?" });
  await saveTestQuestion(scope, CLI_ACTOR, { ...changed, updatedAt: row?.updatedAt, question: "Who third?" });
  expect(await listed(scope)).toMatchObject([{ question: "Who third?" }]);
});

test("a test question is not changed into one that is there already", async () => {
  const scope = await newCompany();
  await add(scope, "Who?");
  const { id, updatedAt } = await add(scope, "Where?");
  const changed = { id, updatedAt, mustRefuse: true };
  const same = saveTestQuestion(scope, CLI_ACTOR, { ...changed, question: "Who?" });
  await expect(same).rejects.toThrow("This test question already exists.");
  await saveTestQuestion(scope, CLI_ACTOR, { ...changed, question: "Where?" });
});

// the embedded database runs one transaction after another
test.skipIf(env().databaseUrl === null)("two imports at once store the same test question once", async () => {
  const scope = await newCompany();
  const question = { question: "Who?", mustRefuse: true };
  const { first, outcome } = startDuring(db, scope, () => addTestQuestions(scope, CLI_ACTOR, [question]));
  expect(await addTestQuestions(first, CLI_ACTOR, [question])).toEqual({ added: 1, known: 0 });
  expect(await outcome).toEqual({ added: 0, known: 1 });
  expect(await listed(scope)).toHaveLength(1);
});

test.skipIf(env().databaseUrl === null)("two test questions do not become the same at once", async () => {
  const scope = await newCompany();
  const [{ id }, { id: other }] = [await add(scope, "Who?"), await add(scope, "Where?")];
  const same = { question: "When?", mustRefuse: true };
  const { first, outcome } = startDuring(db, scope, () => saveTestQuestion(scope, CLI_ACTOR, { ...same, id: other }));
  await saveTestQuestion(first, CLI_ACTOR, { ...same, id });
  expect(await outcome).toMatchObject({ message: "This test question already exists." });
});

test("a test question follows its key to the replacement, without a change of its own", async () => {
  const scope = await newCompany();
  const { id: apiKeyId } = await createKey(scope, CLI_ACTOR, { name: "Bot" });
  const asKey = { id: null, question: "Who?", mustRefuse: true, apiKeyId };
  await saveTestQuestion(scope, CLI_ACTOR, asKey);
  const [before] = await listed(scope);
  const { id: replacement } = await rotateKey(scope, CLI_ACTOR, { id: apiKeyId, overlap: "now" });
  expect(await listed(scope)).toEqual([{ ...before, apiKeyId: replacement }]);
  // a page may still name the replaced key
  await saveTestQuestion(scope, CLI_ACTOR, { ...asKey, question: "Where?" });
  expect((await listed(scope)).map((row) => row.apiKeyId)).toEqual([replacement, replacement]);
});
