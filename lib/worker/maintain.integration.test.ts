import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { heldUploads, jobs, queryLog, questionGaps, returnedChunks } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { claimJobs } from "../jobs/queue.ts";
import { workScope } from "../jobs/work-scope.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany, work } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { maintain, scheduleMaintenance } from "./maintain.ts";

const { db } = testDatabase();

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`;

/** A turn that has time for one step of each kind. */
const SHORT_TURN = { signal: new AbortController().signal, hasEnded: () => true };

/** Runs the hourly job, in a function that does one turn of it. */
async function maintenanceOf({ companyId }: TenantScope): Promise<() => Promise<boolean>> {
  await db.insert(jobs).values({ companyId, kind: "maintain" });
  const [job] = (await claimJobs("quick", { companyId }))?.jobs ?? [];
  if (!job) throw new Error("nothing was claimed");
  return async () => {
    const [row] = await db.select({ progressDone: jobs.progressDone }).from(jobs).where(eq(jobs.id, job.id));
    return maintain({ ...job, ...row }, workScope([job]), SHORT_TURN);
  };
}

async function holdExpired({ companyId }: TenantScope, storageKeys: string[]): Promise<void> {
  const upload = { fileName: "a.md", purpose: "assistants", bytes: 1, sha256: "0", expiresAt: daysAgo(1) };
  await db.insert(heldUploads).values(storageKeys.map((storageKey) => ({ ...upload, companyId, storageKey })));
}

const countUploads = ({ companyId }: TenantScope) => db.$count(heldUploads, eq(heldUploads.companyId, companyId));

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

test.each([
  [
    "requests",
    queryLog,
    sql`insert into ragstone.query_log (company_id, id, at, origin, status_code)
      select company, gen_random_uuid(), expired_at, 'api', 200`,
  ],
  [
    "texts",
    returnedChunks,
    sql`insert into ragstone.returned_chunks (company_id, id, source_id, content, returned_at)
      select company, gen_random_uuid(), gen_random_uuid(), 'Text.', expired_at`,
  ],
  [
    "finished jobs",
    jobs,
    sql`insert into ragstone.jobs (company_id, kind, state, finished_at) select company, 'purge', 'done', expired_at`,
  ],
])("the hourly job deletes many expired %s in small steps, for as long as its turn", async (_, table, insert) => {
  const scope = await newCompany();
  await updateCompanySettings(scope, SYSTEM_ACTOR, { queryRetentionDays: 10 });
  const takeTurn = await maintenanceOf(scope);
  const count = () => db.$count(table, eq(table.companyId, scope.companyId));
  const before = await count();
  await db.execute(sql`${insert} from (select ${scope.companyId}::uuid as company,
    now() - make_interval(days => 20, secs => second) as expired_at from generate_series(1, 2500) as second) as old`);
  await db.execute(sql`${insert} from (select ${scope.companyId}::uuid as company, now() as expired_at) as fresh`);
  expect([await takeTurn(), (await count()) - before]).toEqual([false, 1_501]);
  expect([await takeTurn(), (await count()) - before]).toEqual([false, 501]);
  expect([await takeTurn(), (await count()) - before]).toEqual([true, 1]);
});

test("the hourly job deletes expired uploads in small steps, even after its turn", async () => {
  const scope = await newCompany();
  await holdExpired(
    scope,
    Array.from({ length: 25 }, (_, file) => `${scope.companyId}/${file}`),
  );
  const takeTurn = await maintenanceOf(scope);
  expect([await takeTurn(), await countUploads(scope)]).toEqual([true, 0]);
});

test("the hourly job groups unanswered questions in its first turn only", async () => {
  const scope = await newCompany();
  const miss = (queryText: string) => recordRequest(scope, randomUUID(), { queryText, answered: false, total: 0 });
  const countGaps = () => db.$count(questionGaps, eq(questionGaps.companyId, scope.companyId));
  const takeTurn = await maintenanceOf(scope);
  miss("Where is the nearest shop?");
  expect([await takeTurn(), await countGaps()]).toEqual([true, 1]);
  miss("How tall is the tower?");
  expect([await takeTurn(), await countGaps()]).toEqual([true, 1]);
  const takeTurnOfNext = await maintenanceOf(scope);
  expect([await takeTurnOfNext(), await countGaps()]).toEqual([true, 2]);
});

test("the rest of the hourly job is done although the file of an upload cannot be deleted", async () => {
  const scope = await newCompany();
  await holdExpired(scope, ["not a key"]);
  recordRequest(scope, randomUUID(), { queryText: "Where is the nearest shop?", answered: false, total: 0 });
  const takeTurn = await maintenanceOf(scope);
  await expect(takeTurn()).rejects.toThrow("not a valid key");
  expect(await countUploads(scope)).toBe(1);
  expect(await db.$count(questionGaps, eq(questionGaps.companyId, scope.companyId))).toBe(1);
});

test("expired uploads are deleted although an earlier step of the hourly job fails", async () => {
  RUNNING_MODELS.set({ ...createModels(env()), embedFor: () => () => Promise.reject(new Error("out of memory")) });
  onTestFinished(() => RUNNING_MODELS.set());
  const scope = await newCompany();
  await holdExpired(scope, [`${scope.companyId}/0`]);
  recordRequest(scope, randomUUID(), { queryText: "Where is the nearest shop?", answered: false, total: 0 });
  const takeTurn = await maintenanceOf(scope);
  await expect(takeTurn()).rejects.toThrow("out of memory");
  expect(await countUploads(scope)).toBe(0);
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
