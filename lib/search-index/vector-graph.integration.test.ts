import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeConnection, connect, connection, setConnection } from "../db/client.ts";
import { migrate } from "../db/migrate.ts";
import { embeddings, jobs, lexicalBlocks } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { type FreshDatabase, freshDatabase } from "../testing/fresh-database.ts";
import { addAndIngest, document, newCompany } from "../testing/knowledge.ts";
import { emptyLive } from "./postings.ts";
import { EXACT_CHUNKS_MAX, growGraph } from "./vector-graph.ts";

const MIGRATION = readFileSync("drizzle/migrations/0023_vector_graph.sql", "utf8");

// a database of its own, because the migration changes all vectors
const folder = mkdtempSync(join(tmpdir(), "ragstone-graph-"));
let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase(folder);
  setConnection(connect(database.target));
  await migrate();
});
afterAll(async () => {
  await closeConnection();
  await database.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function companyOf(liveCount: number): Promise<TenantScope> {
  const scope = await newCompany();
  const { companyId } = scope;
  // of a model without an index
  const ofModel = { companyId, modelId: 99, embedding: "[1,0]" };
  const vectors = Array.from({ length: 30 }, (_, ordinal) => ({ ...ofModel, ordinal }));
  await scope.transaction(async (tx) => {
    await tx.insert(embeddings).values(vectors);
    await tx.insert(lexicalBlocks).values({ companyId, block: 0, language: "en", live: emptyLive(), liveCount });
  });
  return scope;
}

function grow(scope: TenantScope, steps: number): Promise<boolean> {
  return growGraph(scope, { turn: { hasEnded: () => steps-- === 0 } });
}

function inGraph({ companyId }: TenantScope): Promise<number> {
  return connection().db.$count(embeddings, sql`company_id = ${companyId} and in_graph`);
}

it("moves the vectors of a large company into the graph, in several turns; skips small companies", async () => {
  const small = await companyOf(EXACT_CHUNKS_MAX);
  expect([await grow(small, 100), await inGraph(small)]).toEqual([true, 0]);
  const large = await companyOf(EXACT_CHUNKS_MAX + 1);
  expect(await grow(large, 1)).toBe(false);
  expect(await inGraph(large)).toBeGreaterThan(0);
  expect([await grow(large, 100), await inGraph(large)]).toEqual([true, 30]);
});

it.skipIf(env().databaseUrl === null)("leaves the vectors that another worker is moving to it", async () => {
  const large = await companyOf(EXACT_CHUNKS_MAX + 1);
  const { companyId } = large;
  await connection().db.transaction(async (tx) => {
    await tx.execute(
      sql`update ragstone.embeddings set in_graph = true where company_id = ${companyId} and ordinal < 5`,
    );
    expect([await grow(large, 100), await inGraph(large)]).toEqual([true, 25]);
  });
  expect(await inGraph(large)).toBe(30);
});

it("starts when ingestion makes a company large", async () => {
  const scope = await companyOf(EXACT_CHUNKS_MAX);
  await addAndIngest(scope, document("garden", "The garden needs water."));
  // the others are of a model that does not serve the company, so the same job lets them be deleted
  expect(await inGraph(scope)).toBe(1);
  const maintenance = and(eq(jobs.companyId, scope.companyId), eq(jobs.kind, "maintain"));
  await addAndIngest(scope, document("house", "The house needs paint."));
  expect(await connection().db.$count(jobs, maintenance)).toBe(1);
});

it("holds the vectors of large companies of an earlier release after the migration", async () => {
  await addAndIngest(await newCompany(), document("garden", "The garden needs water."));
  const [small, large] = [await companyOf(EXACT_CHUNKS_MAX), await companyOf(EXACT_CHUNKS_MAX + 1)];
  const { db } = connection();
  const indexes = sql`select indexdef as definition from pg_indexes
    where indexname like 'embeddings_%_model_%' or indexname = 'embeddings_outside_graph' order by indexname`;
  const before = await db.execute<{ definition: string }>(indexes);
  // also drops the indexes
  await db.execute(sql`alter table ragstone.embeddings drop column in_graph`);
  for (const { definition } of before) {
    const earlier = definition.replace(" AND in_graph", "");
    if (earlier !== definition) await connection().sql.unsafe(earlier);
  }
  for (const statement of MIGRATION.split("--> statement-breakpoint")) await connection().sql.unsafe(statement);
  expect([await inGraph(small), await inGraph(large)]).toEqual([0, 30]);
  expect(await db.execute(indexes)).toEqual(before);
});
