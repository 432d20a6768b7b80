import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { jobs, queryLog } from "../db/schema/index.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { scheduleMaintenance } from "./maintain.ts";

const { db } = testDatabase();

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`;

test("the hourly job deletes requests and finished jobs that have expired, and no others", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  await updateCompanySettings(scope, SYSTEM_ACTOR, { queryRetentionDays: 10 });
  const companyIds = [scope.companyId, other.companyId];
  const ages = [1, 9, 11].flatMap((age) => companyIds.map((companyId) => ({ companyId, age })));
  await db.insert(queryLog).values(
    ages.map(({ companyId, age }) => ({
      companyId,
      id: randomUUID(),
      at: daysAgo(age),
      origin: "api" as const,
      statusCode: 200,
    })),
  );
  await db.insert(jobs).values(
    ages.map(({ companyId, age }) => ({
      companyId,
      kind: "purge" as const,
      state: "done" as const,
      finishedAt: daysAgo(age),
    })),
  );
  await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
  await work(scope);
  const requests = companyIds.map((id) => db.$count(queryLog, eq(queryLog.companyId, id)));
  expect(await Promise.all(requests)).toEqual([2, 3]);
  const purges = companyIds.map((id) => db.$count(jobs, and(eq(jobs.companyId, id), eq(jobs.kind, "purge"))));
  expect(await Promise.all(purges)).toEqual([1, 3]);
});

test("each company gets one job an hour, in the slow lane", async () => {
  const companyIds = [(await newCompany()).companyId, (await newCompany()).companyId];
  for (let call = 0; call < 3; call++) await scheduleMaintenance();
  const rows = await db
    .select({
      companyId: jobs.companyId,
      hour: sql<string>`date_trunc('hour', ${jobs.createdAt})::text`,
      lane: jobs.lane,
    })
    .from(jobs)
    .where(and(inArray(jobs.companyId, companyIds), eq(jobs.kind, "maintain")));
  expect(new Set(rows.map(({ companyId }) => companyId))).toEqual(new Set(companyIds));
  expect(new Set(rows.map(({ companyId, hour }) => `${companyId} ${hour}`)).size).toBe(rows.length);
  expect(new Set(rows.map(({ lane }) => lane))).toEqual(new Set(["slow"]));
});
