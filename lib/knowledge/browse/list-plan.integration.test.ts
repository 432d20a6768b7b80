import { asc, desc, isNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { sources } from "../../db/schema/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { newCompany } from "../../testing/knowledge.ts";
import { readListed } from "./read-listed.ts";

const database = testDatabase();

test("a page of many sources is read by an index, in the order of adding and of the last change", async () => {
  const scope = await newCompany();
  const { companyId } = scope;
  await scope.transaction(async (tx) => {
    await tx.execute(sql`insert into ragstone.sources (company_id, source_id, latest_version_id, created_at, updated_at)
      select ${companyId}, 'source ' || i, gen_random_uuid(), now() - i * interval '1 s', now() + i * interval '1 s'
      from generate_series(1, 5000) i`);
    await tx.execute(sql`insert into ragstone.source_versions
      (company_id, id, source_id, number, state, source_type, title, audience, body, content_hash)
      select company_id, latest_version_id, id, 1, 'current', 'document', source_id, '{staff}', '{"kind":"text"}', ''
      from ragstone.sources where company_id = ${companyId}`);
  });
  await database.db.execute(sql`analyze ragstone.sources`);
  await database.db.execute(sql`analyze ragstone.source_versions`);
  const plan = (orderBy: Parameters<typeof readListed>[2]["orderBy"]) =>
    scope.transaction(async (tx) => {
      const page = { where: isNull(sources.deletedAt), orderBy, limit: 21 };
      const query = readListed(tx, { companyId, actor: SYSTEM_ACTOR }, page).getSQL();
      const rows = await tx.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  const { createdAt, updatedAt, id } = sources;
  for (const [orderBy, name] of [
    [[desc(createdAt), desc(id)], "sources_added"],
    [[asc(createdAt), asc(id)], "sources_added"],
    [[asc(updatedAt), asc(id)], "sources_changed"],
  ] as const) {
    expect(await plan([...orderBy])).toContain(name);
    expect(await plan([...orderBy])).not.toMatch(/Sort|Seq Scan on sources/);
  }
});
