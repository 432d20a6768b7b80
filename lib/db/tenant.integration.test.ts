import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import type { Transaction } from "./client.ts";
import { companies } from "./schema/index.ts";
import { sendBoth } from "./send.ts";
import { textLiteral } from "./sql.ts";
import { simpleQuery, type TenantScope, tenantScope } from "./tenant.ts";

const database = testDatabase();

async function newScope(name: string): Promise<TenantScope> {
  const company = await createCompany(SYSTEM_ACTOR, { name });
  const scope = tenantScope(company.id);
  const source = { sourceType: "document", sourceId: "same", title: name, content: `${name} only` };
  await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(source)]);
  return scope;
}

/** Every table with rows of companies, according to the database catalogue. */
async function tenantTables(): Promise<string[]> {
  const rows = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  return rows.map(({ name }) => name);
}

describe("tenant scope", () => {
  let own: TenantScope;
  let other: TenantScope;
  beforeAll(async () => {
    own = await newScope("Ours");
    other = await newScope("Theirs");
  });

  it("refuses an id that is not a UUID", () => {
    expect(() => tenantScope("' or true --")).toThrow();
  });

  it("lets the database compile no statement, which would take longer than a search", async () => {
    const setting = sql`select current_setting('jit') as jit`;
    const [read] = await own.read<[{ jit: string }]>([setting]);
    const others = [own.transaction, own.changeContent, own.snapshot].map((run) => run((tx) => tx.execute(setting)));
    expect([...read, ...(await Promise.all(others)).flat()].map(Object)).toEqual(Array(4).fill({ jit: "off" }));
  });

  it("writes statements in one transaction, within the company", async () => {
    const rename = (name: string) => sql`update ragstone.companies set name = ${textLiteral(name)} returning name`;
    const name = `Ours'; drop table x; -- \\' \u00e9\n`;
    expect(await own.write([rename("Ours first"), rename(name)])).toEqual([{ name: "Ours first" }, { name }]);
    await expect(own.write([rename("Lost"), sql`select 1 / 0`])).rejects.toThrow("division by zero");
    expect(await own.write([rename("Ours")])).toEqual([{ name: "Ours" }]);
    const theirs = await other.transaction((tx) => tx.select({ name: companies.name }).from(companies));
    expect(theirs).toEqual([{ name: "Theirs" }]);
  });

  it("changes no content when the stamp of the change cannot be written", async () => {
    const change = own.changeContent(async (tx) => {
      await tx.update(companies).set({ name: "Lost" });
      await simpleQuery(tx, "set transaction read only");
    });
    await expect(change).rejects.toThrow("read-only transaction");
    const read = sql`select name from ragstone.companies`;
    expect(await own.read<[{ name: string }]>([read])).toEqual([[{ name: "Ours" }]]);
    expect(await own.changeContent((tx) => tx.execute(read))).toEqual([{ name: "Ours" }]);
  });

  it("shows only the company's rows to SQL that names no company", async () => {
    const [row] = await own.transaction((tx) =>
      tx.execute<{ n: string }>(sql`select count(*) as n from ragstone.sources`),
    );
    expect(Number(row?.n)).toBe(1);
    const companies = await own.transaction((tx) =>
      tx.execute<{ name: string }>(sql`select name from ragstone.companies`),
    );
    expect([...companies]).toEqual([{ name: "Ours" }]);
  });

  it.each<[string, (tx: Transaction) => Promise<object[]>]>([
    ["plain SQL", (tx) => tx.execute<{ name: string }>(sql`select name from ragstone.companies`)],
    ["the query builder", async (tx) => tx.select({ name: companies.name }).from(companies)],
    ["an update", async (tx) => tx.update(companies).set({ id: sql`id` }).returning({ name: companies.name })],
  ])("limits the first statement too, which is sent without waiting: %s", async (_, first) => {
    expect([...(await own.transaction((tx) => first(tx)))]).toEqual([{ name: "Ours" }]);
  });

  it("refuses the statements of the work when the statement before them fails", async () => {
    const change = () =>
      database.db.transaction((tx) =>
        sendBoth(
          () => simpleQuery(tx, "select 1 / 0"),
          async () => tx.update(companies).set({ name: "Changed" }).where(eq(companies.id, own.companyId)),
        ),
      );
    await expect(change()).rejects.toThrow("division by zero");
    expect(await own.transaction((tx) => tx.select({ name: companies.name }).from(companies))).toEqual([
      { name: "Ours" },
    ]);
  });

  it("finds no row of another company by its id, and cannot change it", async () => {
    const found = await own.transaction((tx) =>
      tx.execute(sql`select * from ragstone.sources where company_id = ${other.companyId}`),
    );
    expect(found).toHaveLength(0);
    await own.transaction((tx) =>
      tx.execute(sql`update ragstone.sources set source_id = 'stolen' where company_id = ${other.companyId}`),
    );
    const [row] = await other.transaction((tx) =>
      tx.execute<{ sourceId: string }>(sql`select source_id as "sourceId" from ragstone.sources`),
    );
    expect(row?.sourceId).toBe("same");
  });

  it("cannot write a row for another company", async () => {
    const stolen = own.transaction((tx) =>
      tx.execute(sql`insert into ragstone.sources (company_id, source_id) values (${other.companyId}, 'planted')`),
    );
    await expect(stolen).rejects.toMatchObject({ cause: { code: "42501" } });
  });

  it.each([
    ["no company", ""],
    ["an empty company", "set local app.company_id = ''"],
    ["an unknown company", "set local app.company_id = '00000000-0000-4000-8000-000000000000'"],
  ])("shows no rows in any table with %s", async (_name, setting) => {
    for (const table of await tenantTables()) {
      const count = await database.db.transaction(async (tx) => {
        await simpleQuery(tx, `set local role ragstone_app; ${setting}`);
        const [row] = await tx.execute<{ n: string }>(
          sql`select count(*) as n from ${sql.identifier("ragstone")}.${sql.identifier(table)}`,
        );
        return Number(row?.n);
      });
      expect([table, count]).toEqual([table, 0]);
    }
  });

  it("has row-level security on every table with rows of companies", async () => {
    const unguarded = await database.db.execute(sql`
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
      where c.relnamespace = 'ragstone'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not c.relrowsecurity`);
    expect([...unguarded]).toEqual([]);
  });

  it("allows no direct read of an embeddings partition, which would bypass the policy", async () => {
    const direct = database.db.transaction(async (tx) => {
      await simpleQuery(tx, `set local role ragstone_app; set local app.company_id = '${own.companyId}'`);
      await tx.execute(sql`select * from ragstone.embeddings_0`);
    });
    await expect(direct).rejects.toMatchObject({ cause: { code: "42501" } });
  });

  it("leaves no setting behind on the connection", async () => {
    await own.transaction((tx) => tx.execute(sql`select 1`));
    const rows = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? own : other).transaction(async (tx) => {
          const [row] = await tx.execute<{ id: string }>(sql`select company_id as id from ragstone.sources`);
          return row?.id;
        }),
      ),
    );
    expect(rows).toEqual(rows.map((_, i) => (i % 2 ? own : other).companyId));
  });
});
