import { desc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { queryLog } from "../db/schema/index.ts";
import { testCompany } from "../testing/company.ts";
import { testDatabase } from "../testing/database.ts";
import { matchesLog } from "./log-conditions.ts";
import { type LogFilter, OUTCOMES, PLAYGROUND } from "./log-filter.ts";

const { db } = testDatabase();
const ALL: LogFilter = { days: 7, sender: null, outcome: null, search: "" };

test("the few requests of an outcome and the playground runs are listed by an index of their own", async () => {
  const scope = await testCompany();
  // the companies of other tests have nothing but such requests, from which the planner would expect the same of this one
  await db.execute(sql`truncate ${queryLog}`);
  await db.execute(sql`
    insert into ${queryLog} (company_id, id, at, origin, status_code, total, answered)
    select ${scope.companyId}, gen_random_uuid(), now() - n * interval '1 s', 'api', 200, 3, true
    from generate_series(1, 20000) as n`);
  await db.execute(sql`analyze ${queryLog}`);
  const plan = (filter: LogFilter) =>
    scope.transaction(async (tx) => {
      const where = matchesLog(scope.companyId, filter);
      const page = tx.select({ id: queryLog.id }).from(queryLog).where(where);
      const query = page.orderBy(desc(queryLog.at), desc(queryLog.id)).limit(50).getSQL();
      const rows = await tx.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  for (const outcome of OUTCOMES) expect(await plan({ ...ALL, outcome })).toContain("query_log_outcome");
  expect(await plan({ ...ALL, sender: PLAYGROUND })).toContain("query_log_outcome");
  expect(await plan(ALL)).toContain("query_log_at");
});
