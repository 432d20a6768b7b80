import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticateKey } from "../api-keys/authenticate.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { closeConnection, connect, connection, setConnection } from "../db/client.ts";
import { appliedMigrations } from "../db/migrate.ts";
import { embeddings, users } from "../db/schema/index.ts";
import { changedSince, currentMark } from "../db/system/backup.ts";
import { setMeta } from "../db/system/meta.ts";
import { embeddingModelId } from "../db/system/models.ts";
import { countRows, listTables, readTable } from "../db/system/tables.ts";
import { claimSignIn } from "../db/system/users.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { createMember } from "../members/service.ts";
import { startSession } from "../members/sessions.ts";
import { type FreshDatabase, freshDatabase } from "../testing/fresh-database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../testing/knowledge.ts";
import { flushQueryLog } from "../usage/record.ts";
import { RestoreError, restoreBackup } from "./restore.ts";
import { writeBackup } from "./write.ts";

/** The restored copy; the shared test database is the original. */
let folder: string;
let copy: FreshDatabase;
let file: string;
let scope: TenantScope;
let token: string;
let before: Awaited<ReturnType<typeof contentsOf>>;
let answers: unknown;

const QUESTION_KEY = /"question_key":"\w+"/g;

/** Every row of every table, by table, as JSON from the database. */
async function contentsOf() {
  const contents: Record<string, string[]> = {};
  for (const table of await listTables()) {
    const rows: string[] = [];
    for await (const lines of readTable(table)) rows.push(...lines);
    contents[table.name] = rows.map((row) => JSON.stringify(JSON.parse(row, utc)));
  }
  return contents;
}

/** Converts times to UTC, because the two databases may have different time zones. */
function utc(_key: string, value: unknown): unknown {
  const instant = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(value);
  return instant ? new Date(value).toISOString() : value;
}

async function topTen() {
  const { response } = await ask(scope, { queryText: "how long does a refund take?", limit: 10 });
  return response.results;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ragstone-backup-"));
  file = join(folder, "backup.jsonl.gz");
  scope = await newCompany('Backup "quoted", \\back\\slashed, {braced} 🪨');
  const member = await createMember(scope, SYSTEM_ACTOR, {
    email: `${scope.companyId}@example.com`,
    name: "Ada",
    role: "admin",
    password: "granite marl slate",
  });
  await startSession({ userId: member.id, version: 1 });
  token = (await createKey(scope, SYSTEM_ACTOR, { name: "Key" })).token;
  const rules = Array.from({ length: 30 }, (_, i) =>
    document(`rule-${i}`, `A refund of kind ${i} takes ${i} days.\n\n# More\n\nRule ${i} ends here.`, {
      audience: ['with "quotes"', "with, comma", "{}", "NULL"],
      metadata: { list: [1.5, null, true, "text"], nested: { deep: "\\ \" ' \n \u2028" } },
    }),
  );
  await addAndIngest(scope, ...rules);
  await addAndIngest(scope, { sourceType: "qa", sourceId: "days", question: "How many days?", answer: "Thirty days." });
  await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "a.md", bytes: Buffer.from("# Returns\n\nSend it back.") }]);
  await work(scope);
  answers = await topTen();
  await flushQueryLog();

  const { bytes } = await writeBackup(file, { originals: true });
  expect(bytes).toBe((await stat(file)).size);
  before = await contentsOf();
  await closeConnection();
  copy = await freshDatabase(join(folder, "copy"));
  setConnection(connect(copy.target));
});

afterAll(async () => {
  await closeConnection();
  await copy?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe("a backup", () => {
  it("is readable only by its owner, and leaves no draft", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("is refused when the end of the file is missing, and restores nothing", async () => {
    const cut = join(folder, "cut.gz");
    await writeFile(cut, gzipSync(`${headerLine([])}\n`));
    await expect(restoreBackup(cut)).rejects.toThrow("the end of the file is missing");
    await copyFile(file, cut);
    await truncate(cut, 5_000);
    await expect(restoreBackup(cut)).rejects.toThrow(RestoreError);
    expect(await appliedMigrations()).toEqual([]);
  });

  it.each([
    ["something else", "hello"],
    ["a newer release", `${headerLine(["of tomorrow"])}\n{"$end":true}\n`],
  ])("of %s is refused", async (_what, text) => {
    const other = join(folder, "other.gz");
    await writeFile(other, gzipSync(text));
    await expect(restoreBackup(other)).rejects.toThrow(RestoreError);
    expect(await appliedMigrations()).toEqual([]);
  });

  it("of an older release is migrated to this one", async () => {
    const older = join(folder, "older.gz");
    const [first = ""] = migrationHashes();
    const id = "00000000-0000-4000-8000-00000000000a";
    const company = {
      id,
      name: "Old",
      is_sample: false,
      default_audience: [],
      query_retention_days: 30,
      hash_queries: false,
      created_at: "2026-01-01T00:00:00Z",
    };
    const lines = [headerLine([first]), JSON.stringify({ companies: company }), '{"$end":true}'];
    await writeFile(older, gzipSync(`${lines.join("\n")}\n`));
    expect(await restoreBackup(older)).toEqual({ companies: 1 });
    expect(await appliedMigrations()).toEqual(migrationHashes());
    await connection().db.execute(sql`delete from ragstone.companies where id = ${id}`);
  });

  it("restores every row of every table, including bytes, vectors and arrays, and the keys of another locale", async () => {
    const foreign = join(folder, "foreign.gz");
    const rows = gunzipSync(await readFile(file)).toString();
    expect(rows).toMatch(QUESTION_KEY);
    await writeFile(foreign, gzipSync(rows.replaceAll(QUESTION_KEY, '"question_key":"of another locale"')));
    const { companies } = await restoreBackup(foreign);
    expect(companies).toBe(before.companies?.length);
    const after = await contentsOf();
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    const stamp = /"(?:content_stamp|index_generation)":"[^"]+"/g;
    const unstamped = (rows: string[] = []) => rows.map((row) => row.replaceAll(stamp, ""));
    // the next start must not create a sample company
    const sample = after.meta?.findIndex((row) => row.startsWith('{"key":"sample"')) ?? -1;
    expect(after.meta?.splice(sample, 1)).toEqual([JSON.stringify({ key: "sample", value: { complete: true } })]);
    for (const [table, rows] of Object.entries(before)) {
      expect([table, unstamped(after[table])]).toEqual([table, unstamped(rows)]);
    }
    // an index in memory that was made before the restoration must not be used
    const stamps = (rows: string[] = []) => rows.flatMap((row) => row.match(stamp) ?? []);
    expect(stamps(after.companies)).toHaveLength(2 * companies);
    expect(stamps(after.companies).filter((each) => stamps(before.companies).includes(each))).toEqual([]);
    expect(after.embeddings?.length).toBeGreaterThan(30);
  });

  it("gives the same answers, with the same scores, to the same key", async () => {
    expect(await topTen()).toEqual(answers);
    expect((await authenticateKey(`Bearer ${token}`)).companyId).toBe(scope.companyId);
  });

  it("signs nobody in: cookies from before the backup do not work", async () => {
    const [row] = await connection().db.execute<{ count: number }>(
      sql`select count(*)::int as count from ragstone.sessions`,
    );
    expect(row?.count).toBe(0);
  });

  it("recreates the vector indexes, and sequences continue after the highest number", async () => {
    const indexes = await connection().db.execute<{ name: string }>(
      sql`select indexname as name from pg_indexes where schemaname = 'ragstone' and indexdef like '%hnsw%'`,
    );
    expect(indexes.length).toBeGreaterThanOrEqual(8);
    const known = (before.embedding_models ?? []).map((row): number => JSON.parse(row).id);
    expect(await embeddingModelId({ modelId: "another/3", dimensions: 3 })).toBeGreaterThan(Math.max(...known));
  });

  it("allows ingestion to continue", async () => {
    await addAndIngest(
      scope,
      document("rule-3", "A refund of kind 3 takes a century."),
      document("new", "Marmots whistle."),
    );
    const { response } = await ask(scope, { queryText: "which animal whistles?", limit: 1 });
    expect(response.results[0]?.payload.sourceId).toBe("new");
  });

  it("is not restored into a database with data", async () => {
    await expect(restoreBackup(file)).rejects.toThrow("not empty");
  });
});

describe("changes while a backup is read", () => {
  async function changed(change: () => Promise<unknown>): Promise<boolean> {
    const tables = await listTables();
    const mark = await currentMark();
    const counts = new Map(Object.entries(await contentsOf()).map(([name, rows]) => [name, rows.length]));
    await change();
    return changedSince(mark, tables, counts);
  }

  it("are detected when a row is inserted, updated or deleted", async () => {
    const model = await embeddingModelId({ modelId: "temporary/3", dimensions: 3 });
    const { db } = connection();
    expect(await changed(async () => undefined)).toBe(false);
    expect(await changed(() => newCompany("Late"))).toBe(true);
    expect(
      await changed(() => db.execute(sql`update ragstone.sources set updated_at = now() where source_id = 'new'`)),
    ).toBe(true);
    expect(await changed(() => db.execute(sql`delete from ragstone.embedding_models where id = ${model}`))).toBe(true);
  });

  it("are detected when a vector is added, and ignored when one is moved into the graph", async () => {
    const { db } = connection();
    const { companyId } = scope;
    const moved = () => db.execute(sql`update ragstone.embeddings set in_graph = true where company_id = ${companyId}`);
    expect(await changed(moved)).toBe(false);
    const added = () => db.insert(embeddings).values({ companyId, modelId: 99, ordinal: 0, embedding: "[1,0]" });
    expect(await changed(added)).toBe(true);
  });

  it("are detected in a large table, which is counted in batches", async () => {
    const { db } = connection();
    const { companyId } = scope;
    await db.execute(sql`
      insert into ragstone.embeddings (company_id, model_id, ordinal, embedding)
      select ${companyId}, 98, n, '[1,0]' from generate_series(1, 12000) as n`);
    const [table] = (await listTables()).filter(({ name }) => name === "embeddings");
    const batches: { rows: number; later: number }[] = [];
    if (table) for await (const batch of countRows(table, await currentMark())) batches.push(batch);
    expect(batches.length).toBeGreaterThan(2);
    expect(Math.max(...batches.map(({ rows }) => rows))).toBeLessThanOrEqual(1_000);
    expect(await changed(async () => undefined)).toBe(false);
    const added = sql`company_id = ${companyId} and model_id = 98`;
    const deleteOne = () => db.execute(sql`delete from ragstone.embeddings where ${added} and ordinal = 6001`);
    expect(await changed(deleteOne)).toBe(true);
    await db.execute(sql`delete from ragstone.embeddings where ${added}`);
  });

  it("are detected when a user is added, and ignored when one signs in", async () => {
    const noPause = { freeTries: 99, firstPauseSeconds: 1, maxPauseSeconds: 1 };
    const signIn = async () => expect(await claimSignIn(`${scope.companyId}@example.com`, noPause)).not.toBeNull();
    expect(await changed(signIn)).toBe(false);
    const added = () => connection().db.insert(users).values({ name: "Late", email: "late@example.com" });
    expect(await changed(added)).toBe(true);
  });

  it("are ignored in tables whose rows are independent", async () => {
    expect(await changed(() => setMeta("worker_seen_at", Date.now()))).toBe(false);
  });
});

function migrationHashes(): string[] {
  return readMigrationFiles({ migrationsFolder: "drizzle/migrations" }).map(({ hash }) => hash);
}

function headerLine(migrations: string[]): string {
  return JSON.stringify({ format: "ragstone-backup", version: 1, migrations, createdAt: "2026-01-01T00:00:00Z" });
}
