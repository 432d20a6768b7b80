import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../testing/database.ts";
import { document, learn, newCompany } from "../../testing/knowledge.ts";
import type { TenantScope } from "../tenant.ts";
import { countGrownCompany } from "./statistics.ts";

const { db } = testDatabase();
const SOURCES = 300;

/** How many sources of the company the planner expects. */
async function expectedSources(scope: TenantScope): Promise<number> {
  const plan = await scope.transaction((tx) =>
    tx.execute<{ "QUERY PLAN": string }>(
      sql`explain select from ragstone.sources where company_id = ${scope.companyId}`,
    ),
  );
  return Number(/rows=(\d+)/.exec(plan[0]?.["QUERY PLAN"] ?? "")?.[1]);
}

test("the planner soon knows a company that grows beside a counted one", async () => {
  const given = Array.from({ length: SOURCES }, (_, index) => document(`s-${index}`, `Shelf ${index} holds maps.`));
  await learn(await newCompany(), ...given);
  await db.execute(sql`analyze`);
  const scope = await newCompany();
  await learn(scope, ...given);
  expect(await expectedSources(scope)).toBeGreaterThan(SOURCES / 4);
});

test("a company is counted at 256 chunks and at each fourfold size, once", async () => {
  const { companyId } = await newCompany();
  const analyzed = async () => {
    const [row] = await db.execute<{ times: string }>(
      sql`select analyze_count::text as times from pg_stat_get_analyze_count('ragstone.sources'::regclass) as analyze_count`,
    );
    return Number(row?.times);
  };
  const sizes = [
    { before: 0, after: 255, times: 0 },
    { before: 255, after: 256, times: 1 },
    { before: 256, after: 255, times: 0 },
    { before: 255, after: 256, times: 0 },
    { before: 256, after: 1_023, times: 0 },
    { before: 1_023, after: 5_000, times: 1 },
  ];
  for (const { times, ...size } of sizes) {
    const before = await analyzed();
    await countGrownCompany(companyId, size);
    await expect.poll(analyzed, { timeout: 30_000 }).toBe(before + times);
  }
});
