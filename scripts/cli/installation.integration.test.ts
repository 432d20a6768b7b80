import { cp, realpath, rename, symlink } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connection } from "../../lib/db/client.ts";
import { json, ragstone, refusal, testFolder } from "../../lib/testing/command-line.ts";
import { testDatabase } from "../../lib/testing/database.ts";

testDatabase();
const folder = testFolder();

test("commands work before the server's first start; after backup and restore, doctor finds no problem", async () => {
  const [from, to] = [folder.path("from"), folder.path("to")].map((DATA_DIR) => ({
    env: { DATA_DIR, DATABASE_URL: "" },
  }));
  const { id } = await json(["company", "create", "--name", "First"], from);
  const input = JSON.stringify({
    sourceType: "document",
    sourceId: "d",
    title: "Dogs",
    content: "Dogs are welcome.",
  });
  await json(["ingest", "--company", id, "-"], { ...from, input });
  const search = ["search", "--company", id, "dogs", "--limit", "10"];
  const { results } = await json(search, from);

  const file = folder.path("all.jsonl.gz");
  expect(await json(["backup", file], from)).toEqual({ file, bytes: expect.any(Number) });
  expect(await refusal(["restore", file], from)).toContain("not empty");
  expect(await json(["restore", file], to)).toEqual({ companies: 1 });
  expect((await json(search, to)).results).toEqual(results);

  const { ok, checks } = await json(["doctor"], to);
  expect([ok, checks.filter((check: { ok: boolean }) => !check.ok)]).toEqual([true, []]);
});

test("backup, restore and doctor count missing originals", async () => {
  const [from, to] = [folder.path("whole"), folder.path("moved")].map((DATA_DIR) => ({
    env: { DATA_DIR, DATABASE_URL: "" },
  }));
  const { id } = await json(["company", "create", "--name", "First"], from);
  await json(["ingest", "--company", id, await folder.put("dogs.md", "Dogs are welcome.")], from);
  await rename(folder.path("whole/files"), folder.path("files"));
  const file = folder.path("rows.jsonl.gz");
  expect((await ragstone(["backup", file], from)).stderr).toContain("1 original");
  expect((await ragstone(["restore", file], to)).stderr).toContain(`1 of 1 original missing: copy them back to`);
  const { stdout, stderr } = await ragstone(["doctor", "--json"], to);
  expect(stderr).toMatch(/^Failed checks: originalsKept$/m);
  expect(JSON.parse(stdout).checks).toContainEqual({
    name: "originalsKept",
    ok: false,
    detail: expect.stringContaining("1 of 1 missing"),
  });
  await cp(folder.path("files"), folder.path("moved/files"), { recursive: true });
  expect(await json(["doctor"], to)).toMatchObject({ ok: true });
});

test("a backup replaces no device and no link, and an empty database needs none", async () => {
  const place = { env: { DATA_DIR: folder.path("linked"), DATABASE_URL: "" } };
  expect(await refusal(["backup", folder.path("none.gz")], place)).toBe(
    `The database in ${folder.path("linked")} is empty: there is nothing to back up.`,
  );
  await json(["company", "create", "--name", "First"], place);
  for (const command of ["backup", "restore"]) {
    expect(await refusal([command, ""], place)).toBe("The path is empty. Name a file or a folder.");
  }
  expect(await refusal(["backup", "/dev/null"], place)).toBe("/dev/null is not a regular file.");
  const target = await folder.put("backup.gz", "");
  await symlink(target, folder.path("latest.gz"));
  expect(await json(["backup", folder.path("latest.gz")], place)).toMatchObject({ file: await realpath(target) });
});

test("a database of an older release is refused", async () => {
  const hashes = await connection().db.execute<{ hash: string }>(
    sql`select hash from ragstone.migrations order by hash`,
  );
  await connection().db.execute(sql`delete from ragstone.migrations where hash = ${hashes[0]?.hash ?? ""}`);
  try {
    expect(await refusal(["company", "list"])).toMatch(/needs a migration.*npm start/);
  } finally {
    await connection().db.execute(sql`insert into ragstone.migrations (hash) values (${hashes[0]?.hash ?? ""})`);
  }
});

test("doctor reports what is wrong", async () => {
  const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  const { status, stdout, stderr } = await ragstone(["doctor", "--json"], { env });
  const { ok, checks } = JSON.parse(stdout);
  expect([status, ok]).toEqual([1, false]);
  expect(stderr).toMatch(/^Failed checks: .*database/);
  expect(checks).toContainEqual({
    name: "database",
    ok: false,
    detail: expect.stringContaining("no server responds at 127.0.0.1:1"),
  });
  expect(checks).toContainEqual({ name: "worker", ok: false, detail: expect.stringContaining("not checked") });
});

test("database distribute prints its statements, and refuses a database without Citus", async () => {
  const { statements } = await json(["database", "distribute", "--dry-run"]);
  expect(statements).toContain("select create_distributed_table('ragstone.sources', 'company_id')");
  expect(await refusal(["database", "distribute", "--move-data"])).toBe(
    "The embedded database cannot be distributed. Set DATABASE_URL to a PostgreSQL server with Citus.",
  );
});
