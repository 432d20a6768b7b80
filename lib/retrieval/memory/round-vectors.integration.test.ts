import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { STEPS } from "../../ai/round-vector.ts";
import { closeConnection, connect, connection, setConnection } from "../../db/client.ts";
import { migrate } from "../../db/migrate.ts";
import { type FreshDatabase, freshDatabase } from "../../testing/fresh-database.ts";
import { addAndIngest, ask, document, newCompany } from "../../testing/knowledge.ts";
import { IndexMemory, setIndexMemory } from "./index-memory.ts";

const MIGRATION = readFileSync("drizzle/migrations/0020_round_vectors.sql", "utf8");

// a database of its own, because the migration changes all vectors
const folder = mkdtempSync(join(tmpdir(), "ragstone-vectors-"));
let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase(folder);
  setConnection(connect(database.target));
  await migrate();
});
afterAll(async () => {
  setIndexMemory();
  await closeConnection();
  await database.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("vectors of an earlier release are searched in memory, and rounded by the migration", async () => {
  const scope = await newCompany();
  await addAndIngest(
    scope,
    document("garden", "The garden needs water."),
    document("kitchen", "The kitchen is closed."),
  );
  const { db } = connection();
  await db.execute(sql`
    update ragstone.embeddings set embedding = embedding + array_fill(0.0001::real, array[vector_dims(embedding)])::vector`);
  const indexes = sql`select indexdef from pg_indexes where indexname like 'embeddings_%_model_%' order by indexname`;
  const before = await db.execute(indexes);
  expect(before.length).toBeGreaterThan(0);
  const memory = new IndexMemory(2 ** 26);
  setIndexMemory(memory);
  const search = async () => {
    const { trace } = await ask(scope, { queryText: "garden" });
    await memory.untilLoaded();
    return trace.index;
  };
  expect([await search(), await search()]).toEqual(["database", "memory"]);

  for (const statement of MIGRATION.split("--> statement-breakpoint")) await connection().sql.unsafe(statement);
  const rows = await db.execute<{ vector: string }>(sql`select embedding::text as vector from ragstone.embeddings`);
  const steps = rows
    .flatMap(({ vector }): number[] => JSON.parse(vector))
    .map((value) => Math.fround(value) * STEPS.chunk);
  expect(steps.filter((step) => !Number.isInteger(step))).toEqual([]);
  expect(await db.execute(indexes)).toEqual(before);
});
