import { randomUUID } from "node:crypto";
import { eq, getTableName, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { authenticateKey } from "../api-keys/authenticate.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import * as tables from "../db/schema/index.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { addFiles } from "../knowledge/intake/add.ts";
import { originalKey } from "../knowledge/original-key.ts";
import { sha256 } from "../sha256.ts";
import { objectStore } from "../storage/index.ts";
import { testDatabase } from "../testing/database.ts";
import { ACCESS_TABLES, CONTENT_TABLES, DASHBOARD_TABLES, deleteRows } from "./queries.ts";
import {
  companyScope,
  createCompany,
  deleteCompany,
  getCompany,
  listCompanies,
  renameCompany,
  updateCompanySettings,
} from "./service.ts";

const { db } = testDatabase();

async function newCompany(name: string): Promise<TenantScope> {
  return tenantScope((await createCompany(CLI_ACTOR, { name })).id);
}

/** Rows per table with a `company_id`, including tables that this release does not know. */
async function rowsOf(companyId: string): Promise<Record<string, number>> {
  const inCompany = await db.execute<{ name: string }>(sql`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'ragstone' and c.column_name = 'company_id' and c.table_name !~ '^embeddings_[0-9]+$'`);
  const counts: Record<string, number> = {};
  for (const { name } of inCompany) {
    const table = sql.identifier(name);
    const [row] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from ragstone.${table} where company_id = ${companyId}`,
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

/** A number that no registered model has, so that no index expects other dimensions. */
const NO_MODEL = 0;

/** Inserts rows into the tables that only their own services fill. */
async function fill({ companyId }: TenantScope): Promise<void> {
  const [user] = await db
    .insert(tables.users)
    .values({ email: `${randomUUID()}@example.com`, name: "Ada" })
    .returning();
  const userId = user?.id ?? "";
  const sourceId = randomUUID();
  const versionId = randomUUID();
  await db.insert(tables.memberships).values({ companyId, userId, role: "admin" });
  await db
    .insert(tables.userTokens)
    .values({ kind: "invitation", hash: randomUUID(), email: "x@example.com", companyId, expiresAt: new Date() });
  await db.insert(tables.sources).values({ companyId, id: sourceId, sourceId: "a" });
  await db.insert(tables.sourceVersions).values({
    ...{ companyId, id: versionId, sourceId, number: 1, sourceType: "document", title: "A", audience: [] },
    ...{ body: { kind: "text", content: "a" }, contentHash: "x" },
  });
  const upload = { fileName: "a.md", purpose: "assistants", storageKey: `${companyId}/a`, bytes: 1, sha256: "a" };
  await db.insert(tables.heldUploads).values({ companyId, ...upload, expiresAt: new Date() });
  const chunkId = randomUUID();
  await db.execute(sql`
    insert into ragstone.chunks
      (company_id, id, source_id, ordinal, content, embedding_text, word_length, gram_length, piece_count, raw_word_count)
    values (${companyId}, ${chunkId}, ${sourceId}, 0, 'a', 'a', 1, 1, 1, 1)`);
  await db.execute(sql`
    insert into ragstone.version_chunks (company_id, version_id, position, chunk_id)
    values (${companyId}, ${versionId}, 0, ${chunkId})`);
  await db
    .insert(tables.embeddings)
    .values(
      Array.from({ length: 2_500 }, (_, ordinal) => ({ companyId, modelId: NO_MODEL, ordinal, embedding: "[1,2,3]" })),
    );
  await db.insert(tables.lexicalBlocks).values({ companyId, block: 0, language: "en", live: new Uint8Array(4) });
  await db.insert(tables.lexicalPostings).values({ companyId, term: 1, block: 0, postings: new Uint8Array(4) });
  await db.insert(tables.jobs).values({ companyId, kind: "ingest" });
  await db.insert(tables.queryLog).values({ companyId, id: randomUUID(), origin: "api", statusCode: 200 });
  await db
    .insert(tables.returnedChunks)
    .values({ companyId, id: randomUUID(), sourceId: randomUUID(), content: "text" });
  const calls = { day: "2026-01-01", apiKeyId: randomUUID(), via: "api" as const };
  await db.insert(tables.knowledgeCallsDaily).values({ companyId, ...calls });
  await db.insert(tables.usageDaily).values({ companyId, day: "2026-01-01" });
  await db
    .insert(tables.answerReports)
    .values({ companyId, requestId: randomUUID(), userId, question: "q", answer: "a" });
  await db
    .insert(tables.questionGaps)
    .values({ companyId, questions: [], times: 1, reports: 0, keys: [], lastAskedAt: new Date() });
  await db
    .insert(tables.suggestions)
    .values({ companyId, userId, content: { kind: "text", title: "t", content: "c" } });
  await db.insert(tables.testQuestions).values({ companyId, question: "q" });
  await db.insert(tables.testRuns).values({ companyId });
  const outcome = {
    asked: 1,
    passed: { now: 0, proposed: 1 },
    better: 1,
    worse: 0,
    winner: null,
    probability: 1,
  };
  await db.insert(tables.retrievalTrials).values({ companyId, triedBy: "a", saved: {}, proposed: {}, outcome });
}

test("a company starts with the defaults", async () => {
  const company = await createCompany(CLI_ACTOR, { name: " Northwind " });
  expect(company).toMatchObject({
    name: "Northwind",
    isSample: false,
    defaultAudience: ["ai_agent", "copilot"],
    queryRetentionDays: 30,
    hashQueries: false,
  });
  expect((await listCompanies()).map(({ id }) => id)).toContain(company.id);
  await expect(createCompany(CLI_ACTOR, { name: " " })).rejects.toMatchObject({ statusCode: 422 });
});

test("name and settings change, with an audit row each", async () => {
  const scope = await newCompany("Before");
  await renameCompany(scope, CLI_ACTOR, { name: "After" });
  const changed = await updateCompanySettings(scope, CLI_ACTOR, {
    defaultAudience: ["a", "a", " b "],
    hashQueries: true,
  });
  expect(changed).toMatchObject({
    name: "After",
    defaultAudience: ["a", "b"],
    hashQueries: true,
    queryRetentionDays: 30,
  });
  expect(await getCompany(scope, SYSTEM_ACTOR)).toEqual(changed);
  expect(await updateCompanySettings(scope, CLI_ACTOR, {})).toEqual(changed);
  await expect(updateCompanySettings(scope, CLI_ACTOR, { queryRetentionDays: 0 })).rejects.toMatchObject({
    statusCode: 422,
  });
  const rows = await db
    .select()
    .from(tables.auditLog)
    .where(eq(tables.auditLog.companyId, scope.companyId))
    .orderBy(tables.auditLog.createdAt);
  expect(rows.map(({ action }) => action)).toEqual(["company.created", "company.renamed", "company.settings_changed"]);
});

test("the audit log names only the settings that changed, and nothing when none did", async () => {
  const scope = await newCompany("Strata Ltd");
  const { companyId, name, defaultAudience, queryRetentionDays } = {
    ...scope,
    ...(await getCompany(scope, CLI_ACTOR)),
  };
  await renameCompany(scope, CLI_ACTOR, { name });
  await updateCompanySettings(scope, CLI_ACTOR, { defaultAudience, queryRetentionDays });
  await updateCompanySettings(scope, CLI_ACTOR, { defaultAudience: ["copilot"], queryRetentionDays });
  const rows = await db
    .select({ action: tables.auditLog.action, detail: tables.auditLog.detail })
    .from(tables.auditLog)
    .where(eq(tables.auditLog.companyId, companyId))
    .orderBy(tables.auditLog.createdAt);
  expect(rows.slice(1)).toEqual([{ action: "company.settings_changed", detail: { defaultAudience: ["copilot"] } }]);
});

test("settings are not saved from a page that shows other days to keep requests", async () => {
  const scope = await newCompany("Two admins");
  await updateCompanySettings(scope, CLI_ACTOR, { queryRetentionDays: 3650, shownRetentionDays: 30 });
  for (const input of [{ queryRetentionDays: 60 }, { hashQueries: true }, {}]) {
    await expect(updateCompanySettings(scope, CLI_ACTOR, { ...input, shownRetentionDays: 30 })).rejects.toMatchObject({
      error: "Conflict",
    });
  }
  expect(await getCompany(scope, CLI_ACTOR)).toMatchObject({ queryRetentionDays: 3650, hashQueries: false });
  const saved = await updateCompanySettings(scope, CLI_ACTOR, { queryRetentionDays: 60, shownRetentionDays: 3650 });
  expect(saved.queryRetentionDays).toBe(60);
});

test.each(["x", "3d0f4c1e-0000-4000-8000-000000000000"])("there is no company %s", async (id) => {
  await expect(companyScope(id)).rejects.toMatchObject({ error: "NotFound" });
});

test("every table with a company is in the list of tables to empty", async () => {
  const known = [...ACCESS_TABLES, ...CONTENT_TABLES, ...DASHBOARD_TABLES].map((table) => getTableName(table));
  expect(known.toSorted()).toEqual(Object.keys(await rowsOf(randomUUID())).toSorted());
});

test("deleting leaves no row behind, and keeps another company's rows", async () => {
  const [doomed, other] = [await newCompany("Doomed"), await newCompany("Other")];
  const key = await createKey(doomed, CLI_ACTOR, { name: "Key" });
  for (const scope of [doomed, other]) await fill(scope);
  const before = await rowsOf(other.companyId);
  expect(Object.values(await rowsOf(doomed.companyId)).every((count) => count > 0)).toBe(true);

  await deleteCompany(doomed, SYSTEM_ACTOR);

  expect(Object.values(await rowsOf(doomed.companyId)).every((count) => count === 0)).toBe(true);
  expect(await db.$count(tables.companies, eq(tables.companies.id, doomed.companyId))).toBe(0);
  expect(await rowsOf(other.companyId)).toEqual(before);
  await expect(authenticateKey(`Bearer ${key.token}`)).rejects.toMatchObject({ statusCode: 401 });
  await expect(deleteCompany(doomed, SYSTEM_ACTOR)).rejects.toMatchObject({ error: "NotFound" });
});

test("rows of a company that the planner has not counted are deleted without reading all of them", async () => {
  const { id } = await createCompany(SYSTEM_ACTOR, { name: "Uncounted" });
  const { companyId, transaction } = tenantScope(id);
  await db.execute(sql`analyze ragstone.lexical_postings`);
  await db.execute(sql`insert into ragstone.lexical_postings (company_id, term, block, postings)
    select ${companyId}, term, 0, '\\x00' from generate_series(1, 5000) as term`);
  const read = await transaction(async (tx) => {
    expect(await deleteRows(tx, tables.lexicalPostings, companyId, 100)).toBe(100);
    const [row] = await tx.execute<{ rows: number }>(sql`select (idx_tup_fetch + seq_tup_read)::int as rows
      from pg_stat_xact_user_tables where relid = 'ragstone.lexical_postings'::regclass`);
    return row?.rows;
  });
  expect(read).toBeLessThan(1_000);
});

test("deleting removes the company's original files, including those that no row names, and keeps another company's", async () => {
  const [doomed, other] = [await newCompany("Doomed files"), await newCompany("Other files")];
  const bytes = Buffer.from("# Granite");
  for (const scope of [doomed, other]) await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: "granite.md", bytes }]);
  const [own, others] = [doomed, other].map(({ companyId }) => originalKey(companyId, sha256(bytes)));
  const leftByKill = originalKey(doomed.companyId, "0");
  await objectStore().put(leftByKill, bytes);
  const stored = () => Promise.all([own, leftByKill, others].map((key) => objectStore().has(key ?? "")));
  expect(await stored()).toEqual([true, true, true]);

  await deleteCompany(doomed, SYSTEM_ACTOR);

  expect(await stored()).toEqual([false, false, true]);
});
