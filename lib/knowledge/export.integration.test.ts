import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { deleteCompany } from "../companies/service.ts";
import { sourceVersions } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { exportLines, importLines } from "../testing/export-lines.ts";
import { document, newCompany } from "../testing/knowledge.ts";
import { addSources } from "./intake/add.ts";
import { sourceInput } from "./intake/source-input.ts";

const { db } = testDatabase();

const LARGE = 6_000_000;

test("an export and an import hold few large texts at a time", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  // random, because the database compresses
  const large = randomBytes(LARGE).toString("base64").slice(0, LARGE);
  for (const [sourceId, content] of Object.entries({ a: large, b: large, c: "Short.", d: "Short as well." })) {
    await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document(sourceId, content))]);
  }
  const read = vi.spyOn(scope, "transaction");
  const lines = await exportLines(scope);
  expect(lines.slice(1).map((line) => JSON.parse(line).sourceId)).toEqual(["a", "b", "c", "d"]);
  for (const { value } of read.mock.settledResults) expect(JSON.stringify(value).length).toBeLessThan(2 * LARGE);

  expect((await importLines(other, lines)).accepted.map(({ sourceId }) => sourceId)).toEqual(["a", "b", "c", "d"]);
  const transactions = await db
    .selectDistinct({ at: sourceVersions.createdAt })
    .from(sourceVersions)
    .where(eq(sourceVersions.companyId, other.companyId));
  expect(transactions).toHaveLength(2);
  // the workers of other tests would read the large texts
  for (const company of [scope, other]) await deleteCompany(company, SYSTEM_ACTOR);
});
