import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createKey, getKey, revokeKey } from "../api-keys/service.ts";
import { type Actor, SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { compareResults } from "../usage/compare-results.ts";
import { listRequests } from "../usage/log.ts";
import { getReceipt } from "../usage/receipt.ts";
import { flushQueryLog } from "../usage/record.ts";
import { countServed } from "../usage/service.ts";
import { askAgain } from "./ask-again.ts";

testDatabase();
let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});

const QUESTION = "How much is a visit to the quarry?";
const EVER = { start: new Date("2000-01-01"), end: new Date("2100-01-01") };

async function asked(options: object = {}): Promise<string> {
  const requestId = randomUUID();
  const request = { queryText: QUESTION, returnMode: "ai_generated_answer", limit: 3 } as const;
  await ask(scope, request, { requestId, ...options });
  await flushQueryLog();
  return requestId;
}

async function again(id: string) {
  const support: Actor = { type: "user", id: randomUUID(), name: "Sam", companyId: scope.companyId, role: "support" };
  const receipt = await getReceipt(scope, support, await askAgain(scope, support, { id, requestId: randomUUID() }));
  return { before: await getReceipt(scope, support, id), after: receipt };
}

test("repeats a key's request with its settings and today's knowledge, without counting as a request of the key", async () => {
  await addAndIngest(scope, document("visits", "A visit to the quarry costs 14 euros.", { path: ["Public"] }));
  await addAndIngest(scope, document("staff", "A visit to the quarry is free for staff.", { path: ["Internal"] }));
  const policy = { path: ["Public"] };
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Bot", policy });
  const id = await asked({ apiKeyId: keyId, policy });
  await addAndIngest(scope, document("visits", "A visit to the quarry costs 20 euros.", { path: ["Public"] }));

  const served = await countServed(scope, SYSTEM_ACTOR, EVER);
  const { before, after } = await again(id);
  expect(before.answer).toContain("14 euros");
  expect(after.answer).toContain("20 euros");
  expect(after).toMatchObject({
    origin: "playground",
    queryText: QUESTION,
    policy,
    request: { limit: 3, asKeyId: keyId },
  });
  expect(compareResults(before.results, after.results).map(({ change }) => change)).toEqual(["edited"]);
  expect(await countServed(scope, SYSTEM_ACTOR, EVER)).toBe(served);
  expect((await getKey(scope, SYSTEM_ACTOR, keyId)).lastUsedAt).toBeNull();
});

test("applies the policy of that time once the key is revoked", async () => {
  await addAndIngest(scope, document("visits", "A visit to the quarry costs 14 euros.", { path: ["Public"] }));
  const policy = { path: ["Internal"] };
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Bot", policy });
  const id = await asked({ apiKeyId: keyId, policy });
  await revokeKey(scope, SYSTEM_ACTOR, keyId);
  expect((await again(id)).after).toMatchObject({ results: [], policy });
});

test("runs nothing when the company has begun to keep hashes, because the answers could not be compared", async () => {
  const id = await asked();
  await updateCompanySettings(scope, SYSTEM_ACTOR, { hashQueries: true });
  await expect(again(id)).rejects.toMatchObject({ error: "Conflict", message: expect.stringContaining("hashes") });
  const every = { days: 7, sender: null, outcome: null, search: "" };
  expect((await listRequests(scope, SYSTEM_ACTOR, every, 1)).total).toBe(1);
});

test("refuses when the question is not stored, and a request of another company", async () => {
  await updateCompanySettings(scope, SYSTEM_ACTOR, { hashQueries: true });
  const id = await asked();
  await expect(again(id)).rejects.toMatchObject({ error: "Conflict" });
  scope = await newCompany();
  await expect(again(id)).rejects.toMatchObject({ error: "NotFound" });
});
