import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { browseAudit } from "../audit/browse.ts";
import { detailWords } from "../audit/describe-event.ts";
import { type Actor, CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { explainSource } from "../retrieval/explain.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { DEFAULT_SETTINGS, type RetrievalSettingsForm } from "./schema.ts";
import { getRetrievalSettings, restoreDefaultSettings, saveRetrievalSettings } from "./service.ts";

testDatabase();
const QUESTION = "How long is the notice period?";

async function companyWith(settings: Partial<RetrievalSettingsForm>): Promise<TenantScope> {
  const scope = await newCompany();
  await addAndIngest(
    scope,
    document("terms.md", "The notice period of every contract is 30 days. Notice is given in writing."),
    document("router.md", "The router has two green lights."),
  );
  await saveRetrievalSettings(scope, CLI_ACTOR, { ...DEFAULT_SETTINGS, ...settings });
  return scope;
}

test("a request says what it wants, else the company's settings decide, for Why not? too", async () => {
  const scope = await companyWith({ scoreThreshold: 1, useRerank: true });
  const { response, trace } = await ask(scope, { queryText: QUESTION });
  expect(response.results).toEqual([]);
  expect(trace.reranked).toBeGreaterThan(0);
  const own = await ask(scope, { queryText: QUESTION, scoreThreshold: 0, useRerank: false });
  expect(own.response.total).toBe(2);
  expect(own.trace.reranked).toBeUndefined();
  const request = retrieveRequest.parse({ queryText: QUESTION });
  const { verdict } = await explainSource(scope, request, { policy: {}, name: "terms.md" });
  expect(verdict.kind).toBe("below_threshold");
  await restoreDefaultSettings(scope, CLI_ACTOR);
  expect((await ask(scope, { queryText: QUESTION })).response).toMatchObject({ results: own.response.results });
});

test("the weight decides between vectors and keywords", async () => {
  const scope = await companyWith({ vectorWeight: 1 });
  for (const { score, cosine } of (await ask(scope, { queryText: QUESTION })).trace.results) {
    expect(score).toBeCloseTo(Math.max(0, cosine), 6);
  }
  const { trace } = await ask(scope, { queryText: QUESTION }, { settings: { vectorWeight: 0 } });
  expect(trace.results.find(({ lexical }) => lexical === 0)?.score ?? 0).toBe(0);
});

test("the refusal is the company's", async () => {
  const scope = await companyWith({ refusalText: "Call 555." });
  const refused = await ask(scope, { queryText: "Who walked on the moon?", returnMode: "ai_generated_answer" });
  expect(refused.response.aiGeneratedAnswer).toBe("Call 555.");
  expect(refused.answered).toBe(false);
});

test("a save keeps what another admin has changed since the form was loaded", async () => {
  const scope = await companyWith({ useRerank: true, vectorWeight: 0.7 });
  await saveRetrievalSettings(scope, CLI_ACTOR, { refusalText: "Call 555.", vectorWeight: undefined });
  await Promise.all([
    saveRetrievalSettings(scope, CLI_ACTOR, { answerStyle: "short" }),
    saveRetrievalSettings(scope, CLI_ACTOR, { useRerank: false }),
  ]);
  const changed = { vectorWeight: 0.7, refusalText: "Call 555.", answerStyle: "short" } as const;
  expect(await getRetrievalSettings(scope, CLI_ACTOR)).toEqual({ ...DEFAULT_SETTINGS, ...changed });
  await saveRetrievalSettings(scope, CLI_ACTOR, { vectorWeight: null, refusalText: "" });
  expect(await getRetrievalSettings(scope, CLI_ACTOR)).toEqual({ ...DEFAULT_SETTINGS, answerStyle: "short" });
});

test("the audit log names before and after in words, and support staff only read", async () => {
  const scope = await companyWith({ vectorWeight: 0.7, answerLanguage: "de" });
  const { companyId } = scope;
  const support: Actor = { type: "user", id: randomUUID(), name: "Sara", companyId, role: "support" };
  expect(await getRetrievalSettings(scope, support)).toMatchObject({ vectorWeight: 0.7, answerStyle: "full" });
  await expect(saveRetrievalSettings(scope, support, DEFAULT_SETTINGS)).rejects.toMatchObject({ error: "Forbidden" });
  await expect(restoreDefaultSettings(scope, support)).rejects.toMatchObject({ error: "Forbidden" });
  const cited = { ...DEFAULT_SETTINGS, refusalText: "See [1]." };
  await expect(saveRetrievalSettings(scope, CLI_ACTOR, cited)).rejects.toMatchObject({ error: "ValidationError" });
  const query = { actor: null, action: "company.retrieval_changed", from: null, to: null, page: 1 };
  const { rows } = await browseAudit(scope, SYSTEM_ACTOR, query);
  expect(rows.map(({ detail }) => detailWords(detail))).toEqual([
    ["search weights: automatic → 70% vector, 30% keyword", "answer language: the question's → German"],
  ]);
});
