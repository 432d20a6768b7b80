import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { STEPS } from "../ai/round-vector.ts";
import type { Transaction } from "../db/client.ts";
import { intArray, vectorLiteral } from "../db/sql.ts";
import { embeddingModelId } from "../db/system/models.ts";
import type { TenantScope } from "../db/tenant.ts";
import { eligibleOf } from "../search-index/eligible.ts";
import { emptyLive, SLOTS_PER_BLOCK, setLive } from "../search-index/postings.ts";
import { EXACT_CHUNKS_MAX } from "../search-index/vector-graph.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { nearestByIndex, nearestExact } from "./queries.ts";
import { nearest, searchPlan, sizesOf } from "./vector-search.ts";

const database = testDatabase();
const DIMENSIONS = 8;
const CHUNKS = EXACT_CHUNKS_MAX + 1_000;
const QUERY = vectorLiteral(
  Float32Array.from({ length: DIMENSIONS }, (_, i) => (i === 0 ? 1 : 0)),
  STEPS.question,
);

async function planOf(
  scope: TenantScope,
  query: ReturnType<typeof sql>,
  before?: (tx: Transaction) => Promise<unknown>,
) {
  return scope.transaction(async (tx) => {
    await before?.(tx);
    const rows = await tx.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

describe("query plans of a large company, run as the application's role", () => {
  let scope: TenantScope;
  let model: { id: number; dimensions: number };
  beforeAll(async () => {
    scope = await newCompany();
    model = { id: await embeddingModelId({ modelId: "test/eight", dimensions: DIMENSIONS }), dimensions: DIMENSIONS };
    const vector = sql`(select l2_normalize(array_agg(sin(i * 7.13 + d * 3.7) order by d)::vector) from generate_series(1, ${DIMENSIONS}) d)`;
    for (let start = 0; start < CHUNKS; start += 1_000) {
      await scope.transaction((tx) =>
        tx.execute(sql`insert into ragstone.embeddings (company_id, model_id, ordinal, embedding, in_graph)
          select ${scope.companyId}::uuid, ${model.id}::int, i, ${vector}, i % 2 = 0 from generate_series(${start}::int, ${start + 999}::int) i`),
      );
      await scope.transaction((tx) =>
        tx.execute(sql`insert into ragstone.lexical_postings (company_id, term, block, postings)
          select ${scope.companyId}::uuid, i, 0, '\\x01020304'::bytea from generate_series(${start}::int, ${start + 999}::int) i`),
      );
    }
    await database.db.execute(sql`analyze ragstone.embeddings`);
    await database.db.execute(sql`analyze ragstone.lexical_postings`);
  });

  it("reads posting lists by primary key", async () => {
    const plan = await planOf(
      scope,
      sql`select * from ragstone.lexical_postings where company_id = ${scope.companyId} and term = any(${intArray([1, 2, 3])})`,
    );
    expect(plan).toMatch(/Index Scan|Bitmap Index Scan/);
    expect(plan).not.toContain("Seq Scan");
  });

  it("reads the vectors of given chunks by primary key", async () => {
    const plan = await planOf(
      scope,
      sql`select * from ragstone.embeddings
        where company_id = ${scope.companyId} and model_id = ${model.id} and ordinal = any(${intArray([1, 2, 3])})`,
    );
    expect(plan).not.toContain("Seq Scan");
  });

  it("uses the vector index of its partition and finds what an exact search finds", async () => {
    const query = { companyId: scope.companyId, model, vector: QUERY, count: 50 };
    const [exact, byIndex] = await scope.transaction(async (tx) => [
      await nearestExact(tx, query),
      await nearestByIndex(tx, { ...query, effSearch: 200 }),
    ]);
    expect(byIndex).toHaveLength(50);
    const found = new Set(byIndex.map(({ ordinal }) => ordinal));
    const recall = exact.filter(({ ordinal }) => found.has(ordinal)).length / exact.length;
    expect(recall).toBeGreaterThanOrEqual(0.98);
    const planWhere = (condition: string, order: string) =>
      planOf(
        scope,
        sql`select ordinal from ragstone.embeddings
          where company_id = ${scope.companyId} and model_id = ${sql.raw(String(model.id))} and ${sql.raw(condition)}
          order by ${sql.raw(order)} <#> ${QUERY}::vector(8) limit 50`,
        (tx) => tx.execute(sql.raw("set local enable_sort = off; set local enable_seqscan = off")),
      );
    expect(await planWhere("in_graph", "embedding::vector(8)")).toMatch(/Index Scan using embeddings_\d_model_\d+/);
    expect(await planWhere("not in_graph", "embedding")).toMatch(/embeddings_\d_company_id_model_id_ordinal_idx/);
  });

  it("finds enough chunks even when most of the nearest are not eligible", async () => {
    const live = Array.from({ length: Math.ceil(CHUNKS / SLOTS_PER_BLOCK) }, (_, block) => ({
      block,
      live: emptyLive(),
      language: null,
      ...{ liveCount: 0, wordTotal: 0, gramTotal: 0, pieceTotal: 0, rawWordTotal: 0 },
    }));
    for (let ordinal = 0; ordinal < CHUNKS; ordinal += 3) {
      const block = live[Math.floor(ordinal / SLOTS_PER_BLOCK)];
      if (!block) continue;
      setLive(block.live, ordinal % SLOTS_PER_BLOCK);
      block.liveCount++;
    }
    const eligible = eligibleOf(live);
    expect(searchPlan({ eligible, live: CHUNKS, stored: CHUNKS })).toBe("index");
    const found = await scope.snapshot((tx) =>
      nearest(tx, {
        companyId: scope.companyId,
        model,
        vector: QUERY,
        count: 100,
        eligible,
        live: CHUNKS,
        stored: CHUNKS,
      }),
    );
    expect(found).toHaveLength(100);
    expect(found.every(({ ordinal }) => ordinal % 3 === 0)).toBe(true);
  });
});

describe("the plan of a search", () => {
  const eligible = (count: number) => ({ count, has: () => true, ordinals: () => [] });
  it.each([
    [100, 100, "exact"],
    [EXACT_CHUNKS_MAX, EXACT_CHUNKS_MAX, "exact"],
    [50_000, 50_000, "index"],
    [9_000, 50_000, "subset"],
    [20_000, 50_000, "index"],
    [10, 1_000, "subset"],
  ])("with %i eligible of %i chunks is %s", (count, live, plan) => {
    expect(searchPlan({ eligible: eligible(count), live, stored: live })).toBe(plan);
  });

  it("is that of a small company however often its sources changed", () => {
    const half = { liveCount: EXACT_CHUNKS_MAX / 2, used: EXACT_CHUNKS_MAX / 2, compacted: 0 };
    const dead = { liveCount: 0, used: SLOTS_PER_BLOCK, compacted: 0 };
    const changed = sizesOf([half, dead, dead, dead]);
    expect(changed.stored).toBeGreaterThan(EXACT_CHUNKS_MAX);
    expect(searchPlan({ eligible: eligible(changed.live), ...changed })).toBe("exact");
    const compacted = { ...dead, compacted: SLOTS_PER_BLOCK };
    expect(sizesOf([half, compacted])).toEqual({ live: half.liveCount, stored: half.liveCount });
  });
});
