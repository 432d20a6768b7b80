import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../testing/database.ts";
import { document, learn, newCompany } from "../../testing/knowledge.ts";
import { hasOutgrownStatistics } from "./statistics.ts";

const database = testDatabase();
const { db } = database;
const SOURCES = 300;

test.each([
  { before: 0, after: 255, outgrown: false },
  { before: 0, after: 256, outgrown: true },
  { before: 256, after: 1_023, outgrown: false },
  { before: 1_000, after: 1_024, outgrown: true },
  { before: 5_000, after: 100, outgrown: false },
])("from $before to $after chunks", ({ before, after, outgrown }) => {
  expect(hasOutgrownStatistics(before, after)).toBe(outgrown);
});

test.skipIf(database.embedded)("the planner soon knows a company that grows beside a counted one", async () => {
  const given = Array.from({ length: SOURCES }, (_, index) => document(`s-${index}`, `Shelf ${index} holds maps.`));
  await learn(await newCompany(), ...given);
  await db.execute(sql`analyze`);
  const scope = await newCompany();
  await learn(scope, ...given);

  const plan = await scope.transaction((tx) =>
    tx.execute<{ "QUERY PLAN": string }>(
      sql`explain select from ragstone.sources where company_id = ${scope.companyId}`,
    ),
  );
  const estimated = Number(/rows=(\d+)/.exec(plan[0]?.["QUERY PLAN"] ?? "")?.[1]);
  expect(estimated).toBeGreaterThan(SOURCES / 4);
});
