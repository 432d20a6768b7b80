import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { authenticateKey } from "../api-keys/authenticate.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany, deleteCompany, listCompanies } from "../companies/service.ts";
import { connection } from "../db/client.ts";
import { setMeta } from "../db/system/meta.ts";
import { tenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { completeSample, createSampleAccess, seedSample } from "./sample.ts";

vi.stubEnv("SAMPLE", "on");
testDatabase();

async function samples(): Promise<string[]> {
  return (await listCompanies()).flatMap(({ id, isSample }) => (isSample ? [id] : []));
}

async function removeSamples(): Promise<void> {
  for (const id of await samples()) await deleteCompany(tenantScope(id), SYSTEM_ACTOR);
  await connection().db.execute(sql`delete from ragstone.meta where key = 'sample'`);
}

beforeEach(removeSamples);
afterAll(removeSamples);

async function seeded(): Promise<string> {
  const companyId = await seedSample();
  expect(companyId).not.toBeNull();
  return companyId ?? "";
}

test("a start that was interrupted before access was printed is continued by the next one", async () => {
  const companyId = await seeded();
  expect(await createSampleAccess(companyId)).toMatchObject({ password: expect.stringMatching(/\S/) });

  expect(await seeded()).toBe(companyId);
  const access = await createSampleAccess(companyId);
  expect(access).toMatchObject({ email: "admin@sample.example", password: expect.stringMatching(/\S/) });
  expect((await authenticateKey(`Bearer ${access?.token}`)).companyId).toBe(companyId);

  await completeSample();
  expect(await seedSample()).toBeNull();
  expect(await createSampleAccess(companyId)).toBeNull();
});

test("a start that was interrupted while the company was made starts over", async () => {
  const { id } = await createCompany(SYSTEM_ACTOR, { name: "Half", isSample: true });
  await setMeta("sample", { companyId: id, complete: false });
  const companyId = await seeded();
  expect(await samples()).toEqual([companyId]);
  // the account of the sample's admin exists since the first test
  expect(await createSampleAccess(companyId)).toMatchObject({ password: expect.stringMatching(/\S/) });
});

test("a sample company that was deleted stays deleted", async () => {
  const companyId = await seeded();
  await deleteCompany(tenantScope(companyId), SYSTEM_ACTOR);
  expect(await createSampleAccess(companyId)).toBeNull();
});

test("an installation of an earlier release has its sample already", async () => {
  await setMeta("sample", { companyId: "00000000-0000-4000-8000-00000000000b", complete: true });
  expect(await seedSample()).toBeNull();
});
