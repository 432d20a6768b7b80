import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { renameCompany } from "../../companies/service.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, companyWith, document, newCompany, work } from "../../testing/knowledge.ts";
import { addFiles } from "../intake/add.ts";
import { deleteSources } from "../service.ts";
import { summarizeKnowledge } from "./page-sources.ts";

const { db } = testDatabase();

function keyOf({ companyId }: TenantScope, policy: KeyPolicy): Actor {
  return { type: "api_key", id: crypto.randomUUID(), name: "Bot", companyId, scopes: ["retrieve"], policy };
}

const summaryFor = (scope: TenantScope, policy: KeyPolicy = {}) => summarizeKnowledge(scope, keyOf(scope, policy));
const countsFor = async (scope: TenantScope, policy?: KeyPolicy) => (await summaryFor(scope, policy)).counts;

test("the size of the knowledge is read again only when the content has changed", async () => {
  const scope = await companyWith(document("prices", "Prices."));
  const before = await summaryFor(scope);
  expect(before).toMatchObject({ name: "Test company", counts: { ready: 1, processing: 0, failed: 0 } });
  expect(before.bytes).toBeGreaterThan(0);
  // no method changes a source without a new stamp
  await db.execute(sql`update ragstone.sources set updated_at = '2020-01-31' where company_id = ${scope.companyId}`);
  expect(await summaryFor(scope)).toEqual(before);
  await renameCompany(scope, SYSTEM_ACTOR, { name: "Norte Energy" });
  expect(await summaryFor(scope)).toEqual({ ...before, name: "Norte Energy" });
  const [added] = await addAndIngest(scope, document("hours", "Hours."));
  const after = await summaryFor(scope);
  expect(after.counts.ready).toBe(2);
  expect(after.bytes).toBeGreaterThan(before.bytes);
  await deleteSources(scope, SYSTEM_ACTOR, [added?.id ?? ""]);
  expect(await countsFor(scope)).toMatchObject({ ready: 1 });
});

test("the size of the knowledge has sources that are processing and that failed", async () => {
  const scope = await newCompany();
  expect(await summaryFor(scope)).toMatchObject({ changedAt: null, bytes: 0 });
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "broken.pdf", bytes: Buffer.from("no PDF at all") }]);
  expect(await countsFor(scope)).toEqual({ ready: 0, processing: 1, failed: 0 });
  await work(scope);
  expect(await countsFor(scope)).toEqual({ ready: 0, processing: 0, failed: 1 });
});

test("the size of the knowledge is that of the company, within the policy of the key", async () => {
  const scope = await companyWith(
    document("prices", "Prices.", { audience: ["public"] }),
    document("hours", "Hours.", { audience: ["public"] }),
    document("margins", "Margins.", { audience: ["team"] }),
  );
  const other = await companyWith(document("bees", "Bees."));
  expect(await countsFor(scope)).toMatchObject({ ready: 3 });
  expect(await countsFor(scope, { audience: ["public"] })).toMatchObject({ ready: 2 });
  expect(await countsFor(scope, { audience: ["team"] })).toMatchObject({ ready: 1 });
  expect(await summaryFor(scope, { audience: [] })).toMatchObject({ changedAt: null, bytes: 0, counts: { ready: 0 } });
  expect(await countsFor(other)).toMatchObject({ ready: 1 });
  expect(await countsFor(scope)).toMatchObject({ ready: 3 });
});
