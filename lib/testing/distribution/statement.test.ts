import { loadModule } from "libpg-query";
import { beforeAll, describe, expect, it } from "vitest";
import { distributionProblems } from "./statement.ts";

beforeAll(loadModule);

function problems(message: string): string[] {
  return distributionProblems(
    message,
    new Map([
      ["now", "stable"],
      ["lower", "immutable"],
    ] as const),
  );
}

describe("a statement that one server can answer", () => {
  it.each([
    { because: "it names the company", sql: "select id from ragstone.sources where company_id = $1" },
    {
      because: "it names the company as one of a list",
      sql: "select id from ragstone.sources where company_id in ($1)",
    },
    {
      because: "its joins are by company",
      sql: `select c.id from ragstone.chunks c join ragstone.sources s on (s.company_id, s.id) = (c.company_id, c.source_id)
        left join ragstone.source_versions v on v.company_id = s.company_id and v.id = s.current_version_id
        where s.company_id = 'a'::uuid`,
    },
    {
      because: "its company is that of another table",
      sql: `select from ragstone.companies join ragstone.sources on sources.company_id = companies.id where companies.id = $1`,
    },
    {
      because: "its subquery is turned into a join by company",
      sql: `select from ragstone.sources s where s.company_id = $1 and not exists (
        select from ragstone.chunks c where c.company_id = s.company_id and c.source_id = s.id)`,
    },
    {
      because: "its common table expression is limited",
      sql: `with own as (select company_id, id from ragstone.sources where company_id = $1)
        select c.id from own join ragstone.chunks c on c.company_id = own.company_id and c.source_id = own.id`,
    },
    {
      because: "the inserted row names its company",
      sql: `insert into ragstone.sources (company_id, id) values ($1, $2) on conflict (company_id, id)
        do update set updated_at = excluded.updated_at, source_id = lower(excluded.source_id)`,
    },
    {
      because: "the inserted rows are of the company of others",
      sql: `insert into ragstone.returned_chunks (id, company_id) select id, company_id from ragstone.chunks where company_id = $1`,
    },
    {
      because: "every server has the tables",
      sql: "select from ragstone.memberships m join ragstone.users u on u.id = m.user_id",
    },
    {
      because: "its jobs are asked for by themselves",
      sql: `select from ragstone.sources where company_id = $1 and id = any(array(select subject_id from ragstone.jobs))`,
    },
    {
      because: "each statement of its block names the company",
      sql: `do $$ begin
        perform from ragstone.sources where company_id = 'a'::uuid for key share;
        if not found then raise exception 'gone'; end if;
      end $$`,
    },
    { because: "it reads the catalogue", sql: "select from pg_class where relname = $1" },
    {
      because: "its vectors are those of one partition",
      sql: "select from ragstone.embeddings_3 where company_id = $1",
    },
  ])("passes, because $because", ({ sql }) => {
    expect(problems(sql)).toEqual([]);
  });
});

describe("a statement that several servers would have to answer", () => {
  const SOURCES = "sources is not limited to one company";
  const CHUNKS = "chunks is not limited to one company";

  it.each([
    { sql: "select from ragstone.sources", found: [SOURCES] },
    { sql: "select from ragstone.sources where company_id = $1 or id = $2", found: [SOURCES] },
    { sql: "select from ragstone.sources where company_id = any($1)", found: [SOURCES] },
    { sql: "select from ragstone.sources where company_id = company_id", found: [SOURCES] },
    { sql: "set local role ragstone_app; select 1; delete from ragstone.sources where id = $1", found: [SOURCES] },
    {
      sql: "select from ragstone.sources s join ragstone.chunks c on c.source_id = s.id where s.company_id = $1",
      found: [CHUNKS],
    },
    {
      sql: `select from ragstone.sources s left join ragstone.chunks c
        on c.company_id = s.company_id and c.company_id = $1`,
      found: [SOURCES],
    },
    {
      sql: `select from ragstone.sources s where not exists (
        select from ragstone.chunks c where c.company_id = s.company_id and c.company_id = $1)`,
      found: [SOURCES],
    },
    {
      sql: `select (select count(*) from ragstone.chunks c where c.company_id = s.company_id)
        from ragstone.sources s where s.company_id = $1`,
      found: [CHUNKS],
    },
    {
      sql: `select from ragstone.embeddings_3 where company_id = $1 union select from ragstone.sources`,
      found: [SOURCES],
    },
    { sql: "insert into ragstone.sources (id) values ($1)", found: [SOURCES] },
    { sql: "do $$ begin perform from ragstone.sources where id = 'a'; end $$", found: [SOURCES] },
    {
      sql: "do $$ begin if not exists (select from ragstone.sources) then raise 'no'; end if; end $$",
      found: [SOURCES],
    },
    { sql: "do $$ begin if true then delete from ragstone.sources; end if; end $$", found: [SOURCES] },
    { sql: "insert into ragstone.sources (company_id, id) select id, $1 from ragstone.companies", found: [SOURCES] },
    {
      sql: `select from ragstone.sources s where company_id = $1 and not exists (
        select from ragstone.jobs where jobs.subject_id = s.id)`,
      found: ["jobs is not on the server of sources"],
    },
    {
      sql: "select from ragstone.sources join ragstone.jobs on subject_id = sources.id where sources.company_id = $1",
      found: ["jobs is not on the server of sources"],
    },
  ])("is found: $sql", ({ sql, found }) => {
    expect(problems(sql)).toEqual(found);
  });
});

describe("a function that Citus refuses in a change", () => {
  const INSERT = "insert into ragstone.sources (company_id, id) values ($1, $2) on conflict (company_id, id) do update";

  it.each([
    { sql: `${INSERT} set updated_at = now()`, found: ["now() in on conflict"] },
    { sql: `${INSERT} set updated_at = lower(now()::text)`, found: ["now() in on conflict"] },
    {
      sql: "update ragstone.companies set content_stamp = unknown_function()",
      found: ["unknown_function() in a change"],
    },
    { sql: "update ragstone.users set created_at = now() returning now()", found: ["now() in returning"] },
  ])("is found: $sql", ({ sql, found }) => {
    expect(problems(sql)).toEqual(found);
  });

  it("may be in a change of a table that is not distributed", () => {
    expect(problems("update ragstone.jobs set id = unknown_function()")).toEqual([]);
  });
});
