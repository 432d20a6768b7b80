import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { citedNumbers } from "../../ai/find-citations.ts";
import { LocalModelError } from "../../ai/local/local-model-error.ts";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { CLI_ACTOR } from "../../audit/record.ts";
import { auditLog, sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { answerByProvider } from "../../testing/answer-model.ts";
import { testDatabase } from "../../testing/database.ts";
import { exportLines, importLines } from "../../testing/export-lines.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { startProviderServer } from "../../testing/provider-server.ts";
import { countWaiting } from "../../usage/count-waiting.ts";
import { browseSources } from "../browse/browse.ts";
import { browseQuery } from "../browse/browse-query.ts";
import { addSources } from "../intake/add.ts";
import { relabelSource } from "../intake/relabel.ts";
import { sourceInput } from "../intake/source-input.ts";
import { verifyInput } from "./schema.ts";
import { verifyAnswers, withdrawVerification } from "./verify.ts";

const { db } = testDatabase();
const ANSWER = "Write to us.\n\nYour contract ends 30 days later; unused credit is **not** paid out.";

let scope: TenantScope;
let id: string;
/** The version that is served first. */
let firstVersion: string;
let documentId: string;

const cancel = (answer: string, more: object = {}) => ({
  ...{ sourceType: "qa", sourceId: "cancel", question: "How do I cancel my contract?", answer },
  ...more,
});

beforeEach(async () => {
  scope = await newCompany();
  const [first, second] = await addAndIngest(
    scope,
    cancel(ANSWER, { audience: ["agents"] }),
    document("terms.md", "You can cancel your contract in writing. The notice period is 30 days.", {
      audience: ["public"],
    }),
  );
  id = first?.id ?? "";
  firstVersion = first?.versionId ?? "";
  documentId = second?.id ?? "";
});

afterAll(() => RUNNING_MODELS.set());

const verify = (until: string | null = null) => verifyAnswers(scope, CLI_ACTOR, { ids: [id, documentId], until });

async function answerOf(queryText: string, more: object = {}) {
  const { response, trace } = await ask(scope, { queryText, returnMode: "ai_generated_answer", ...more });
  return { answer: response.aiGeneratedAnswer, verified: trace.verified };
}

test("a verified answer is returned word for word and cited, without a call of the model", async () => {
  const provider = await startProviderServer({ answer: () => "You can cancel in writing [1]." });
  answerByProvider(provider.url);
  expect(await verify("2999-12-31")).toBe(1);
  const { answer, verified } = await answerOf("how can I cancel my contract");
  expect(answer).toMatch(
    /^Write to us\.\n\nYour contract ends 30 days later; unused credit is \*\*not\*\* paid out\. \[\d\]$/,
  );
  expect(verified).toMatchObject({ sourceId: "cancel", by: "Command line", until: "2999-12-31", returned: true });
  expect(provider.calls).toEqual([]);

  const near = await answerOf("When can I cancel my contract?");
  expect(near.verified).toMatchObject({ returned: false, closeness: 0 });
  expect(provider.calls.length).toBeGreaterThan(0);
  await provider.close();
});

test("while the bundled model fails, only the same words return a verified answer", async () => {
  await verify();
  const failing = () => Promise.reject(new LocalModelError("its thread ended"));
  RUNNING_MODELS.set({ ...createModels(env()), embedFor: () => failing });
  try {
    const same = await answerOf("how do I cancel my contract");
    expect(same.verified).toMatchObject({ closeness: 1, returned: true });
    const other = await answerOf("How can I cancel my contract?");
    expect(other.verified).toBeUndefined();
    expect(other.answer).toMatch(/\[\d\]/);
  } finally {
    RUNNING_MODELS.set();
  }
});

test("only callers of its audiences get a verified answer, and new labels keep its verification", async () => {
  await verify();
  const hidden = await answerOf("How do I cancel my contract?", { filters: { audience: "public" } });
  expect(hidden.verified).toBeUndefined();
  expect(hidden.answer).not.toContain("unused credit");
  await relabelSource(scope, CLI_ACTOR, id, { audience: ["public"] });
  const shown = await answerOf("How do I cancel my contract?", { filters: { audience: "public" } });
  expect(shown.verified?.returned).toBe(true);
});

test("an edited answer loses its verification, which the audit log says", async () => {
  await verify();
  await addAndIngest(scope, cancel("Call us.", { audience: ["agents"] }));
  expect((await answerOf("How do I cancel my contract?")).verified).toBeUndefined();
  const events = await db.select().from(auditLog).where(eq(auditLog.companyId, scope.companyId));
  const lost = events.find(({ action }) => action === "knowledge.verification_lost");
  expect(lost).toMatchObject({ targetId: id, targetName: "How do I cancel my contract?" });
});

test("only the version that was read can be verified, once requests get it", async () => {
  const [edited] = await addSources(scope, CLI_ACTOR, [
    sourceInput.parse(cancel("Call us.", { audience: ["agents"] })),
  ]);
  const versionId = edited?.versionId ?? "";
  const verifyRead = (read: string) => verifyAnswers(scope, CLI_ACTOR, { ids: [id], until: null, versionId: read });
  await expect(verifyRead(versionId)).rejects.toMatchObject({ error: "Conflict" });
  expect((await answerOf("How do I cancel my contract?")).verified).toBeUndefined();
  await work(scope);
  await expect(verifyRead(firstVersion)).rejects.toMatchObject({ error: "PreconditionFailed" });
  expect(await verifyRead(versionId)).toBe(1);
  expect((await answerOf("How do I cancel my contract?")).answer).toMatch(/^Call us\. \[\d\]$/);
});

test("a number in brackets in a verified answer is not a citation", async () => {
  await addAndIngest(scope, cancel("See section [2]."));
  await verify();
  const { answer } = await answerOf("How do I cancel my contract?");
  expect(citedNumbers(answer ?? "")).toEqual([1]);
  expect(answer).toBe("See section [ 2 ]. [1]");
});

test("an expired verification is not returned, and waits for a review", async () => {
  await verify("2999-12-31");
  await db.update(sources).set({ verifiedUntil: "2020-01-31" }).where(eq(sources.id, id));
  expect((await answerOf("How do I cancel my contract?")).verified).toBeUndefined();
  expect((await countWaiting(scope, CLI_ACTOR)).reviews).toBe(1);
  const due = await browseSources(scope, CLI_ACTOR, browseQuery.parse({ verification: "due" }));
  expect(due).toMatchObject({ total: 1, rows: [{ id, verification: "due" }] });
  expect(due.facets.verifications).toEqual([{ value: "due", count: 1 }]);
  expect(await withdrawVerification(scope, CLI_ACTOR, [id])).toBe(1);
  expect((await countWaiting(scope, CLI_ACTOR)).reviews).toBe(0);
});

test("an unverified copy with the same score does not hide a verified answer", async () => {
  await addAndIngest(scope, cancel(ANSWER, { audience: ["agents"], sourceId: "a-copy" }));
  await verify();
  const { response, trace } = await ask(scope, {
    queryText: "How do I cancel my contract?",
    returnMode: "ai_generated_answer",
  });
  expect(trace.verified).toMatchObject({ sourceId: "cancel", returned: true });
  expect(response.results[0]?.payload).toMatchObject({ sourceId: "cancel", metadata: { alsoIn: ["a-copy"] } });
});

test("expired verifications do not hide a valid one", async () => {
  const expired = await addAndIngest(
    scope,
    ...Array.from({ length: 5 }, (_, i) => cancel(`Write to desk ${i}.`, { sourceId: `desk-${i}` })),
  );
  const question = "How do I cancel my contract when I have moved abroad and lost the letter with its number?";
  await addAndIngest(scope, cancel("Call us.", { sourceId: "moved", question }));
  const rows = await db.select({ id: sources.id }).from(sources).where(eq(sources.companyId, scope.companyId));
  await verifyAnswers(scope, CLI_ACTOR, { ids: rows.map((row) => row.id), until: null });
  const over = [id, ...expired.map((source) => source.id)];
  await db.update(sources).set({ verifiedUntil: "2020-01-31" }).where(inArray(sources.id, over));
  expect((await answerOf("How do I cancel my contract?")).verified).toMatchObject({ sourceId: "moved" });
});

test("only the answer of a question can be verified, until a day that is not over", async () => {
  const documents = verifyAnswers(scope, CLI_ACTOR, { ids: [documentId], until: null });
  await expect(documents).rejects.toMatchObject({ error: "Conflict" });
  expect(verifyInput.safeParse({ ids: [id], until: "2020-01-31" }).success).toBe(false);
});

test("an import never verifies an answer by itself, and keeps the verification when it is told to", async () => {
  await verify("2999-12-31");
  const lines = await exportLines(scope);
  const [other, third] = [await newCompany(), await newCompany()];
  const asIs = await importLines(other, lines);
  expect(asIs.verifications).toEqual({ kept: 0, lost: 1 });
  await work(other);
  const asked = { queryText: "How do I cancel my contract?", returnMode: "ai_generated_answer" } as const;
  expect((await ask(other, asked)).trace.verified).toBeUndefined();

  const kept = await importLines(third, lines, { keepVerifications: true });
  expect(kept.verifications).toEqual({ kept: 1, lost: 0 });
  await work(third);
  const { trace } = await ask(third, asked);
  expect(trace.verified).toMatchObject({
    ...{ by: "Command line, imported by Ragstone", until: "2999-12-31", returned: true },
  });
  // no second suffix, and nothing lost
  expect((await importLines(third, lines, { keepVerifications: true })).verifications).toEqual({ kept: 1, lost: 0 });
  expect((await ask(third, asked)).trace.verified).toMatchObject({ by: "Command line, imported by Ragstone" });

  const fourth = await newCompany();
  await importLines(fourth, await exportLines(third), { keepVerifications: true });
  await work(fourth);
  expect((await ask(fourth, asked)).trace.verified).toMatchObject({ by: "Command line, imported by Ragstone" });
});

test("an import tells how many verifications it cannot read, and records one event", async () => {
  await addAndIngest(scope, ...Array.from({ length: 60 }, (_, i) => document(`d${i}`, `Text ${i}.`)), {
    ...cancel(ANSWER),
    ...{ sourceId: "zoo", question: "Where is the zoo?" },
  });
  const rows = await db.select({ id: sources.id }).from(sources).where(eq(sources.companyId, scope.companyId));
  await verifyAnswers(scope, CLI_ACTOR, { ids: rows.map((row) => row.id), until: null });
  const lines = await exportLines(scope);
  const [kept, damaged] = [await newCompany(), await newCompany()];
  await importLines(kept, lines, { keepVerifications: true });
  const events = await db.select().from(auditLog).where(eq(auditLog.companyId, kept.companyId));
  const verified = events.filter(({ action }) => action === "knowledge.verified");
  expect(verified).toMatchObject([{ targetName: "2 sources", detail: { imported: true } }]);

  const days = ["soon", "0000-01-01"];
  const unreadable = lines.map((line) => line.replace('"until":null', () => `"until":"${days.pop()}"`));
  const { verifications } = await importLines(damaged, unreadable, { keepVerifications: true });
  expect(verifications).toEqual({ kept: 0, lost: 2 });
});

test("an import does not verify an answer while its older version is returned", async () => {
  await verify();
  const lines = await exportLines(scope);
  const other = await newCompany();
  await addAndIngest(other, cancel("Call us.", { audience: ["agents"] }));
  const changed = await importLines(other, lines, { keepVerifications: true });
  expect(changed.verifications).toEqual({ kept: 0, lost: 1 });
  await work(other);
  expect((await importLines(other, lines, { keepVerifications: true })).verifications).toEqual({ kept: 1, lost: 0 });
});
