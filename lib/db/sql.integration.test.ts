import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { STEPS } from "../ai/round-vector.ts";
import { testDatabase } from "../testing/database.ts";
import { connection } from "./client.ts";
import { vectorLiteral } from "./sql.ts";

testDatabase();

test.each(Object.entries(STEPS))("a vector in steps of a %s has exactly these components", async (_, stepsPerUnit) => {
  const vector = Float32Array.from(
    { length: 2 * stepsPerUnit + 1 },
    (_, index) => (index - stepsPerUnit) / stepsPerUnit,
  );
  const [row] = await connection().db.execute<{ vector: string }>(
    sql`select ${vectorLiteral(vector, stepsPerUnit)}::text as vector`,
  );
  const components = JSON.parse(row?.vector ?? "[]").map(Math.fround);
  expect(components).toEqual([...vector]);
});
