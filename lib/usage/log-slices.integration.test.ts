import { type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { queryLog } from "../db/schema/index.ts";
import { testCompany } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { listRequests } from "./log.ts";
import { logAsCsv } from "./log-csv.ts";
import { logSlices } from "./log-slices.ts";
import { usageOf } from "./usage-of.ts";

const { db } = testDatabase();
const ROWS = 4_500;

test("slices have every request of a large log once, including requests of the same moment", async () => {
  const [scope, other] = [await testCompany(), await testCompany()];
  for (const { companyId } of [scope, other]) {
    await db.execute(sql`
      insert into ${queryLog} (company_id, id, at, origin, status_code, duration_ms, query_text, total)
      select ${companyId}, gen_random_uuid(), now() - (n / 7) * interval '1 ms', 'api', 200, n, 'question ' || n % 9, 1
      from generate_series(1, ${ROWS}::int) as n`);
  }
  const counts: number[] = [];
  for await (const { rows } of logSlices(scope, { days: 7 }, countRows)) counts.push(rows);
  expect(counts).toHaveLength(3);
  expect(counts.reduce((sum, rows) => sum + rows, 0)).toBe(ROWS);

  const { requests, p50, topQuestions } = await usageOf(scope, SYSTEM_ACTOR, { days: 7, sender: null });
  expect({ requests, p50 }).toEqual({ requests: ROWS, p50: (ROWS + 1) / 2 });
  expect(topQuestions[0]).toEqual({ question: "question 0", times: ROWS / 9 });
  const filter = { days: 7, sender: null, outcome: null, search: "" };
  expect((await listRequests(scope, SYSTEM_ACTOR, filter, 1)).total).toBe(ROWS);

  const found: string[] = [];
  const search = { ...filter, search: "question 7" };
  for (let page = 1; found.length < ROWS / 9; page++) {
    const { total, rows } = await listRequests(scope, SYSTEM_ACTOR, search, page);
    expect({ total, isEmpty: rows.length === 0 }).toEqual({ total: ROWS / 9, isEmpty: false });
    found.push(...rows.map(({ id }) => id));
  }
  const all = await db.execute<{ id: string }>(sql`
    select id from ${queryLog} where company_id = ${scope.companyId} and query_text = 'question 7' order by at desc, id desc`);
  expect(found).toEqual(all.map(({ id }) => id));
  let file = "";
  for await (const part of logAsCsv(scope, SYSTEM_ACTOR, search)) file += part;
  const lines = file.trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",")[1])).toEqual(found);
});

test("readers take turns, even after one that fails", async () => {
  const scope = await testCompany();
  let reading = 0;
  const most: number[] = [];
  async function readAll(failsAfter: number): Promise<void> {
    let slices = 0;
    const read = async (tx: Transaction, condition: SQL | undefined) => {
      most.push(++reading);
      await countRows(tx, condition);
      reading--;
      if (++slices === failsAfter) throw new Error("failed");
    };
    for await (const _ of logSlices(scope, {}, read));
  }
  await db.execute(sql`
    insert into ${queryLog} (company_id, id, at, origin, status_code)
    select ${scope.companyId}, gen_random_uuid(), now() - n * interval '1 ms', 'api', 200
    from generate_series(1, ${ROWS}::int) as n`);
  const readings = await Promise.allSettled([readAll(1), readAll(9), readAll(9)]);
  expect(readings.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(most).toEqual(Array.from({ length: 7 }, () => 1));
});

function countRows(tx: Transaction, condition: SQL | undefined): Promise<number> {
  return tx.$count(queryLog, condition);
}
