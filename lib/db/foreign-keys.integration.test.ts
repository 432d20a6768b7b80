import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";

const database = testDatabase();

interface ForeignKey extends Record<string, unknown> {
  name: string;
  columns: string[];
  targetColumns: string[];
}

/** The foreign keys from one company table to another, according to the database catalogue. */
function tenantForeignKeys() {
  const columnsOf = (table: string, numbers: string) => `array_to_json(array(
    select a.attname::text from unnest(${numbers}) with ordinality as key (number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = key.number order by key.place))`;
  const hasCompany = (table: string) =>
    `exists (select from pg_attribute a where a.attrelid = ${table} and a.attname = 'company_id')`;
  return database.db.execute<ForeignKey>(
    sql.raw(`
    select c.conrelid::regclass || '.' || c.conname as name,
      ${columnsOf("c.conrelid", "c.conkey")} as columns, ${columnsOf("c.confrelid", "c.confkey")} as "targetColumns"
    from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'ragstone'::regnamespace
      and ${hasCompany("c.conrelid")} and ${hasCompany("c.confrelid")}`),
  );
}

describe("foreign keys between tables of companies", () => {
  it("contain the company on both sides", async () => {
    const keys = await tenantForeignKeys();
    expect(keys.length).toBeGreaterThan(0);
    const withoutCompany = keys.filter(
      ({ columns, targetColumns }) => targetColumns[columns.indexOf("company_id")] !== "company_id",
    );
    expect(withoutCompany.map(({ name }) => name)).toEqual([]);
  });

  it("refuse a row that points to another company's row, even past row-level security", async () => {
    const [own, other] = [await newCompany("Own"), await newCompany("Other")];
    for (const scope of [own, other]) await addAndIngest(scope, document("notes", "Granite is hard."));
    const planted = database.db.execute(sql`
      insert into ragstone.version_chunks (company_id, version_id, position, chunk_id)
      select own.company_id, own.version_id, 999, other.chunk_id
      from ragstone.version_chunks own, ragstone.version_chunks other
      where own.company_id = ${own.companyId} and other.company_id = ${other.companyId}`);
    await expect(planted).rejects.toMatchObject({ cause: { code: "23503" } });
  });
});
