import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import type { Executor, Transaction } from "./client.ts";
import { PLACEMENTS } from "./distribution.ts";
import { distributionPlan, distributionState } from "./system/distribute.ts";
import { simpleQuery } from "./tenant.ts";

const database = testDatabase();

/** The first value of each row. */
async function valuesOf(query: string, db: Executor = database.db): Promise<string[]> {
  const rows = await db.execute<{ value: string }>(sql.raw(query));
  return rows.map(({ value }) => value);
}

/** Runs the work in a transaction that is rolled back, because other tests use the same tables. */
async function inRolledBack(work: (tx: Transaction) => Promise<void>): Promise<void> {
  const rollBack = new Error("roll back");
  const run = database.db.transaction(async (tx) => {
    await work(tx);
    throw rollBack;
  });
  await expect(run).rejects.toBe(rollBack);
}

const COLUMNS = `array(select attname::text from pg_attribute where attrelid = r.oid and attnum = any(indkey))`;
const FOREIGN_KEYS = `select r.relname || ' → ' || target.relname || ': ' || pg_get_constraintdef(c.oid) as value
  from pg_constraint c join pg_class r on r.oid = conrelid join pg_class target on target.oid = confrelid
  where contype = 'f' and connamespace = 'ragstone'::regnamespace order by 1`;

describe("the schema", () => {
  it("has no table without a placement, and no placement without a table", async () => {
    const tables = await valuesOf(`select relname as value from pg_class r
      where relnamespace = 'ragstone'::regnamespace and relkind in ('r', 'p') and not relispartition`);
    expect(tables.sort()).toEqual(Object.keys(PLACEMENTS).sort());
  });

  it("has the company in every unique index of a table whose rows are at their company", async () => {
    const unique = await valuesOf(`select r.relname as value from pg_index join pg_class r on r.oid = indrelid
      where relnamespace = 'ragstone'::regnamespace and indisunique and not 'company_id' = any(${COLUMNS})`);
    expect(unique.filter((table) => PLACEMENTS[table] === "company")).toEqual([]);
  });

  it("has foreign keys only to tables that are on the same server", async () => {
    const keys = (await valuesOf(FOREIGN_KEYS)).map((key) => {
      const [source = "", target = ""] = key.split(/ → |: /);
      return { key, from: PLACEMENTS[source], to: PLACEMENTS[target] };
    });
    expect(keys.filter(({ from, to }) => to !== "everywhere" && (from !== "company" || to !== "company"))).toEqual([]);
  });

  it("has no subquery in a policy", async () => {
    const policies = await valuesOf(`select coalesce(qual, '') || coalesce(with_check, '') as value
      from pg_policies where schemaname = 'ragstone'`);
    expect(policies.length).toBeGreaterThan(10);
    expect(policies.filter((text) => /select/i.test(text))).toEqual([]);
  });
});

describe("the plan", () => {
  it("distributes every table of companies, and keeps every foreign key", async () => {
    await inRolledBack(async (tx) => {
      // stands in for Citus
      await simpleQuery(
        tx,
        `create temporary table distributed (name text);
        create function pg_temp.create_reference_table(name text) returns void language sql as
          'insert into distributed values ($1)';
        create function pg_temp.create_distributed_table(name text, key text, colocate_with text default 'itself')
          returns void language sql as 'insert into distributed values ($1 || '' by '' || $2 || '' with '' || $3)'`,
      );
      const before = await valuesOf(FOREIGN_KEYS, tx);
      for (const statement of await distributionPlan(tx)) {
        await simpleQuery(tx, statement.replace("select create_", "select pg_temp.create_"));
      }
      expect(await valuesOf(FOREIGN_KEYS, tx)).toEqual(before);
      expect(await valuesOf("select name as value from distributed", tx)).toMatchInlineSnapshot(`
        [
          "ragstone.embedding_models",
          "ragstone.users",
          "ragstone.companies",
          "ragstone.api_keys",
          "ragstone.memberships",
          "ragstone.subscriptions",
          "ragstone.user_tokens",
          "ragstone.sources by company_id with itself",
          "ragstone.embeddings by company_id with ragstone.sources",
          "ragstone.lexical_blocks by company_id with ragstone.sources",
          "ragstone.lexical_postings by company_id with ragstone.sources",
          "ragstone.returned_chunks by company_id with ragstone.sources",
          "ragstone.answer_reports by company_id with ragstone.sources",
          "ragstone.audit_log by company_id with ragstone.sources",
          "ragstone.held_uploads by company_id with ragstone.sources",
          "ragstone.knowledge_calls_daily by company_id with ragstone.sources",
          "ragstone.query_log by company_id with ragstone.sources",
          "ragstone.question_gaps by company_id with ragstone.sources",
          "ragstone.retrieval_trials by company_id with ragstone.sources",
          "ragstone.subscription_history by company_id with ragstone.sources",
          "ragstone.suggestions by company_id with ragstone.sources",
          "ragstone.test_questions by company_id with ragstone.sources",
          "ragstone.test_runs by company_id with ragstone.sources",
          "ragstone.usage_daily by company_id with ragstone.sources",
          "ragstone.chunks by company_id with ragstone.sources",
          "ragstone.source_versions by company_id with ragstone.sources",
          "ragstone.version_chunks by company_id with ragstone.sources",
        ]
      `);
    });
  });

  it("lets the application's role lock users and models, but not change them", async () => {
    await inRolledBack(async (tx) => {
      await simpleQuery(
        tx,
        `insert into ragstone.users (name, email) values ('unchanged', 'unchanged@example.com');
        insert into ragstone.embedding_models (name, dimensions) values ('unchanged', 3)`,
      );
      const plan = await distributionPlan(tx);
      for (const statement of plan.filter((each) => !each.includes("select create_"))) await simpleQuery(tx, statement);
      await simpleQuery(
        tx,
        `set local role ragstone_app; update ragstone.embedding_models set name = 'changed';
        update ragstone.users set name = 'changed'; reset role`,
      );
      const names = `select name as value from ragstone.users union all select name from ragstone.embedding_models`;
      const found = await valuesOf(names, tx);
      expect(found.filter((name) => name === "unchanged")).toHaveLength(2);
      expect(found).not.toContain("changed");
    });
  });

  it("changes the foreign keys among tables of companies, and nothing else of them", async () => {
    const plan = await distributionPlan(database.db);
    expect(plan.filter((statement) => statement.includes(" constraint "))).toMatchInlineSnapshot(`
      [
        "alter table ragstone.chunks drop constraint chunks_company_id_source_id_sources_company_id_id_fk",
        "alter table ragstone.source_versions drop constraint source_versions_company_id_source_id_sources_company_id_id_fk",
        "alter table ragstone.version_chunks drop constraint version_chunks_company_id_chunk_id_chunks_company_id_id_fk",
        "alter table ragstone.version_chunks drop constraint version_chunks_company_id_version_id_source_versions_company_id",
        "alter table ragstone.chunks add constraint chunks_company_id_source_id_sources_company_id_id_fk FOREIGN KEY (company_id, source_id) REFERENCES ragstone.sources(company_id, id) ON DELETE CASCADE",
        "alter table ragstone.source_versions add constraint source_versions_company_id_source_id_sources_company_id_id_fk FOREIGN KEY (company_id, source_id) REFERENCES ragstone.sources(company_id, id) ON DELETE CASCADE",
        "alter table ragstone.version_chunks add constraint version_chunks_company_id_chunk_id_chunks_company_id_id_fk FOREIGN KEY (company_id, chunk_id) REFERENCES ragstone.chunks(company_id, id)",
        "alter table ragstone.version_chunks add constraint version_chunks_company_id_version_id_source_versions_company_id FOREIGN KEY (company_id, version_id) REFERENCES ragstone.source_versions(company_id, id) ON DELETE CASCADE",
      ]
    `);
  });
});

describe("the state", () => {
  it("tells a database without Citus", async () => {
    expect(await distributionState(database.db)).toMatchObject({ hasCitus: false, isDistributed: false });
  });

  it("tells a distributed database", async () => {
    await inRolledBack(async (tx) => {
      await simpleQuery(
        tx,
        `create temporary table pg_dist_partition (logicalrelid regclass);
        insert into pg_dist_partition values ('ragstone.sources')`,
      );
      expect(await distributionState(tx)).toMatchObject({ isDistributed: true });
    });
  });
});
