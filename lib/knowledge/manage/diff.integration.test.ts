import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { sha256 } from "../../sha256.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, document, newCompany, work } from "../../testing/knowledge.ts";
import { countRowsRead } from "../../testing/rows-read.ts";
import { diffSources } from "./diff.ts";
import { putBatch } from "./put.ts";
import { batchInput, diffRequest } from "./schema.ts";

const database = testDatabase();

const COUNT = 2_000;

test("a diff does not compare every pair while the database has only statistics of few sources", async () => {
  await addAndIngest(await newCompany(), document("first", "The first source."));
  await database.db.execute(sql`analyze ragstone.sources`);
  await database.db.execute(sql`analyze ragstone.source_versions`);
  const scope = await newCompany();
  const body = sql`jsonb_build_object('kind', 'text', 'content', 'Text')`;
  await scope.transaction(async (tx) => {
    await tx.execute(sql`insert into ragstone.sources (company_id, source_id, latest_version_id)
      select ${scope.companyId}, 's' || i, gen_random_uuid() from generate_series(1, ${COUNT}::int) i`);
    await tx.execute(sql`insert into ragstone.source_versions
      (company_id, id, source_id, number, state, source_type, title, audience, body, content_hash)
      select company_id, latest_version_id, id, 1, 'current', 'document', 'Title', '{staff}', ${body}, ''
      from ragstone.sources where company_id = ${scope.companyId}`);
  });
  const sources = Array.from({ length: COUNT }, (_, i) => ({ sourceId: `s${i}`, sha256: sha256("Title\n\nText") }));
  const { counted, rowsRead } = countRowsRead(scope);
  const { missing, unchanged, extra } = await diffSources(counted, SYSTEM_ACTOR, { prefix: undefined, sources });
  expect({ missing, unchanged: unchanged.length, extra }).toEqual({
    missing: ["s0"],
    unchanged: COUNT - 1,
    extra: [`s${COUNT}`],
  });
  expect(rowsRead()).toBeLessThan(10 * COUNT);
});

test("a text is compared as it is stored: trimmed, and without U+0000", async () => {
  const scope = await newCompany();
  const { sources } = batchInput.parse({
    sources: [
      { sourceType: "document", sourceId: "page", title: " Page ", content: "\uFEFFText.\n" },
      { sourceType: "qa", sourceId: "qa", question: " Who?\n", answer: "Us\0.\n", alternatives: ["\tWhom? "] },
    ],
  });
  await putBatch(scope, SYSTEM_ACTOR, sources);
  await work(scope);
  const given = [
    { sourceId: "page", sha256: sha256("Page\n\nText.") },
    { sourceId: "qa", sha256: sha256("Who?\n\nUs\uFFFD.\n\nWhom?") },
  ];
  const { unchanged } = await diffSources(scope, SYSTEM_ACTOR, { prefix: undefined, sources: given });
  expect(unchanged).toEqual(["page", "qa"]);
  expect(diffRequest.shape.sources.meta()?.description).toContain("trimmed, with U+FFFD for U+0000");
});
