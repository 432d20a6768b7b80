import { eq, getTableName } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { authenticateKey } from "../api-keys/authenticate.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { companies, embeddings, lexicalBlocks } from "../db/schema/index.ts";
import * as system from "../db/system/companies.ts";
import { membershipsOf } from "../db/system/users.ts";
import { parseEnv } from "../env.ts";
import { addFiles, addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { originalKey } from "../knowledge/original-key.ts";
import { sha256 } from "../sha256.ts";
import { ObjectStoreError, objectStore } from "../storage/index.ts";
import { getSubscription } from "../subscriptions/service.ts";
import { testMember } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany, work } from "../testing/knowledge.ts";
import { type ProviderServer, startProviderServer } from "../testing/provider-server.ts";
import { scheduleMaintenance } from "../worker/maintain.ts";
import { ACCESS_TABLES, CONTENT_TABLES, DASHBOARD_TABLES } from "./queries.ts";
import { deleteCompany } from "./service.ts";

const { db } = testDatabase();

let provider: ProviderServer;
beforeAll(async () => {
  provider = await startProviderServer({ dimensions: 256 });
});
afterEach(() => {
  RUNNING_MODELS.set();
  vi.restoreAllMocks();
});
afterAll(() => provider.close());

/** The tables that still hold rows of a company. */
async function tablesWithRowsOf(companyId: string): Promise<string[]> {
  const left: string[] = [];
  for (const table of [...ACCESS_TABLES, ...CONTENT_TABLES, ...DASHBOARD_TABLES]) {
    if ((await db.$count(table, eq(table.companyId, companyId))) > 0) left.push(getTableName(table));
  }
  return left;
}

test("a company deleted while a worker processes its sources leaves nothing behind", async () => {
  const variables = { OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "256", ANSWER_MODEL: "local" };
  RUNNING_MODELS.set(createModels(parseEnv(variables)));
  provider.fail({ kind: "slow", ms: 1_500 });
  const scope = await newCompany();
  const inputs = ["a", "b"].map((name) => sourceInput.parse(document(name, `The letter ${name}.`)));
  await addSources(scope, SYSTEM_ACTOR, inputs);
  const working = work(scope);
  await vi.waitFor(() => expect(provider.calls).not.toEqual([]), 30_000);
  await deleteCompany(scope, SYSTEM_ACTOR);
  await working;
  expect(await tablesWithRowsOf(scope.companyId)).toEqual([]);
});

test("rows written while a company is deleted are deleted too", async () => {
  const scope = await newCompany();
  const { companyId } = scope;
  const last = system.deleteCompanyRow;
  vi.spyOn(system, "deleteCompanyRow").mockImplementation(async (...given) => {
    await db.insert(embeddings).values({ companyId, modelId: 0, ordinal: 0, embedding: "[1,2,3]" });
    await db.insert(lexicalBlocks).values({ companyId, block: 0, language: "en", live: new Uint8Array(4) });
    return last(...given);
  });
  await deleteCompany(scope, SYSTEM_ACTOR);
  expect(await tablesWithRowsOf(companyId)).toEqual([]);
  expect(await db.$count(companies, eq(companies.id, companyId))).toBe(0);
});

test("an admin can delete a company again after the object store has failed", async () => {
  const scope = await newCompany();
  const { id, actor } = await testMember(scope, "admin");
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "granite.md", bytes: Buffer.from("# Granite") }]);
  const key = await createKey(scope, SYSTEM_ACTOR, { name: "Key" });
  vi.spyOn(objectStore(), "delete").mockRejectedValueOnce(new ObjectStoreError("timed out"));
  await expect(deleteCompany(scope, actor)).rejects.toThrow("timed out");
  await expect(authenticateKey(`Bearer ${key.token}`)).rejects.toMatchObject({ error: "Unauthorized" });
  expect((await membershipsOf(id)).map(({ companyId }) => companyId)).toEqual([scope.companyId]);
  expect(await getSubscription(scope, actor)).toMatchObject({ status: "ACTIVE" });
  await deleteCompany(scope, actor);
  expect(await tablesWithRowsOf(scope.companyId)).toEqual([]);
});

test("a file uploaded while a company is deleted is deleted too", async () => {
  const scope = await newCompany();
  const bytes = Buffer.from("# Late");
  const last = system.deleteCompanyRow;
  vi.spyOn(system, "deleteCompanyRow").mockImplementation(async (...given) => {
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "late.md", bytes }]);
    return last(...given);
  });
  await deleteCompany(scope, SYSTEM_ACTOR);
  expect(await objectStore().has(originalKey(scope.companyId, sha256(bytes)))).toBe(false);
});

test("hourly maintenance is scheduled only for existing companies", async () => {
  const [kept, deleted] = [await newCompany(), await newCompany()];
  await deleteCompany(deleted, SYSTEM_ACTOR);
  await scheduleMaintenance();
  expect(await tablesWithRowsOf(deleted.companyId)).toEqual([]);
  expect(await tablesWithRowsOf(kept.companyId)).toContain("jobs");
});
