import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { deleteCompany } from "../companies/service.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { exportLines, importLines } from "../testing/export-lines.ts";
import { document, newCompany } from "../testing/knowledge.ts";
import { addSources } from "./intake/add.ts";
import { sourceInput } from "./intake/source-input.ts";
import { EXPORT_HEADER } from "./read-export.ts";

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

test("an import of a changed export names the line and its source, the reason, and what to do", async () => {
  const scope = await newCompany();
  const header = JSON.stringify(EXPORT_HEADER);
  const text = JSON.stringify(document("a", "One."));
  const refusalOf = (...lines: string[]) =>
    importLines(scope, lines).then(
      () => "imported",
      (error: Error) => error.message,
    );
  const correct = "Nothing was imported. Correct this line or export again, then repeat the import.";
  const choose = "Nothing was imported. Choose a file from “Export everything” or from the command line.";
  const file = { sourceType: "document", sourceId: "docs/b.pdf", base64: "a file" };
  expect(await refusalOf(header, text, text.slice(0, -5))).toBe(`Line 3: the line is not valid JSON. ${correct}`);
  expect(await refusalOf(header, JSON.stringify(document("a", "")))).toBe(
    `Line 2 (source a): content must not be empty. ${correct}`,
  );
  expect(await refusalOf(header, JSON.stringify(file))).toBe(
    `Line 2 (source docs/b.pdf): base64 must be a file in base64. ${correct}`,
  );
  expect(await refusalOf(text)).toBe(`Line 1: the file is not a Ragstone export. ${choose}`);
  expect(await refusalOf("")).toBe(`Line 1: the file is empty. ${choose}`);
  expect(await refusalOf(JSON.stringify({ ...EXPORT_HEADER, version: 2 }))).toMatch(
    /^Line 1: another version of Ragstone made this export\. Nothing was imported\./,
  );
  expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(0);
  expect(await refusalOf(header, "", text, " ")).toBe("imported");
});
