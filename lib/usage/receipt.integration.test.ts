import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { jobs, queryLog, returnedChunks } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { deleteSource } from "../knowledge/service.ts";
import { sha256 } from "../sha256.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work, workUntilDone } from "../testing/knowledge.ts";
import { getReceipt } from "./receipt.ts";
import { flushQueryLog } from "./record.ts";

const { db } = testDatabase();
let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const PRICE = "A visit to the quarry costs 14 euros.";
const QUESTION = "How much is a visit to the quarry?";

async function asked(more: object = {}, options: object = {}): Promise<string> {
  const requestId = crypto.randomUUID();
  const input = { queryText: QUESTION, returnMode: "ai_generated_answer" as const, ...more };
  await ask(scope, input, { requestId, ...options });
  await flushQueryLog();
  return requestId;
}

const receiptOf = (id: string) => getReceipt(scope, SYSTEM_ACTOR, id);

test("shows the answer, its results and the key's policy as they were", async () => {
  await addAndIngest(scope, document("visits", `# Visits\n\n## Prices\n\n${PRICE}`));
  const key = await createKey(scope, SYSTEM_ACTOR, { name: "Bot", policy: { limit: 3 } });
  const id = await asked({}, { apiKeyId: key.id, policy: { limit: 3 } });
  const receipt = await receiptOf(id);
  expect(receipt.answer).toContain("14 euros");
  expect(receipt.policy).toEqual({ limit: 3 });
  const [result] = receipt.results;
  expect(result).toMatchObject({ state: "served", position: 0, headings: ["Prices"] });
  expect(result?.content).toContain(PRICE);
  expect(result?.sha256).toBe(sha256(Buffer.from(result?.content ?? "")));
});

test("says whether the text of a result comes from a file", async () => {
  await addAndIngest(scope, document("visits", PRICE));
  const file = { sourceId: "floors.txt", bytes: Buffer.from("The quarry has two floors to visit.") };
  await workUntilDone(scope, await addFiles(scope, SYSTEM_ACTOR, [file]));
  const { results } = await receiptOf(await asked());
  const isFile = new Map(results.map(({ sourceId, source }) => [sourceId, source?.isFile]));
  expect([isFile.get("visits"), isFile.get("floors.txt")]).toEqual([false, true]);
});

test("shows the text as it was after the source has changed, and until the source is deleted for good", async () => {
  const [first] = await addAndIngest(scope, document("visits", PRICE));
  const id = await asked();
  await addAndIngest(scope, document("visits", "A visit to the quarry costs 20 euros."));
  const [changed] = (await receiptOf(id)).results;
  expect(changed).toMatchObject({ content: PRICE, state: "changed", source: { id: first?.id } });

  await deleteSource(scope, SYSTEM_ACTOR, first?.id ?? "");
  expect((await receiptOf(id)).results[0]).toMatchObject({ content: PRICE, state: "deleted" });
  await db.execute(sql`update ragstone.sources set deleted_at = now() - interval '25 hours' where id = ${first?.id}`);
  await db.update(jobs).set({ runAfter: sql`now()` }).where(eq(jobs.companyId, scope.companyId));
  await work(scope);
  expect((await receiptOf(id)).results[0]).toMatchObject({ content: null, state: "deleted", source: null });
});

test.each([{ keepAnswers: false }, { hashQueries: true }])("keeps no answer and no text with %o", async (settings) => {
  await updateCompanySettings(scope, SYSTEM_ACTOR, settings);
  await addAndIngest(scope, document("visits", PRICE));
  const receipt = await receiptOf(await asked());
  expect(receipt.answer).toBeNull();
  expect(receipt.results).toHaveLength(1);
  expect(await db.$count(returnedChunks, eq(returnedChunks.companyId, scope.companyId))).toBe(0);
});

test("never stores the context fields", async () => {
  await addAndIngest(scope, document("visits", PRICE));
  const id = await asked({ clientName: "Zoltan Quartz", clientLogs: "Zoltan logged in" });
  expect(JSON.stringify(await receiptOf(id))).not.toContain("Zoltan");
});

test("the answer and the texts are deleted when requests expire", async () => {
  await addAndIngest(scope, document("visits", PRICE));
  await asked();
  await db.execute(sql`update ragstone.query_log set at = now() - interval '40 days'`);
  await db.execute(sql`update ragstone.returned_chunks set returned_at = now() - interval '40 days'`);
  await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
  await work(scope);
  for (const table of [queryLog, returnedChunks]) {
    expect(await db.$count(table, eq(table.companyId, scope.companyId))).toBe(0);
  }
});

test("a row of an earlier release has a receipt", async () => {
  await addAndIngest(scope, document("visits", PRICE));
  const id = await asked();
  await db.execute(sql`update ragstone.query_log set answer = null, policy = null,
    results = (select jsonb_agg(r - 'sha256' - 'headings' - 'position') from jsonb_array_elements(results) r) where id = ${id}`);
  await db.delete(returnedChunks);
  expect((await receiptOf(id)).results[0]).toMatchObject({ content: PRICE, state: "served", headings: [] });
});
