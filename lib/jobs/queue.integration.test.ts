import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { listSources } from "../knowledge/browse/list.ts";
import { outcomeOf } from "../knowledge/ingest/progress.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany, work } from "../testing/knowledge.ts";
import { claimJobs, failJob, LEASE_LOSSES_MAX, reportNewProgress, reportProgress } from "./queue.ts";

const { db } = testDatabase();
let scope: TenantScope;
let versionIds: string[];

beforeEach(async () => {
  scope = await newCompany();
  const sources = ["culprit", "bystander", "neighbour"].map((name) => sourceInput.parse(document(name, `A ${name}.`)));
  versionIds = (await addSources(scope, SYSTEM_ACTOR, sources)).map(({ versionId }) => versionId);
});

/** Leaves a job as a worker does that is killed. */
async function abandon(versionId: string | undefined, deaths: number): Promise<void> {
  await db
    .update(jobs)
    .set({ state: "running", deaths, leaseToken: crypto.randomUUID(), leaseUntil: sql`now() - interval '1 second'` })
    .where(eq(jobs.subjectId, versionId ?? ""));
}

const ownQueue = () => claimJobs("quick", { companyId: scope.companyId });
const claimed = async () => (await ownQueue())?.jobs.map(({ subjectId }) => subjectId);

test("a job that lost its worker is claimed alone, after the others", async () => {
  const [culprit, ...others] = versionIds;
  await abandon(culprit, 0);
  expect((await claimed())?.sort()).toEqual(others.toSorted());
  expect(await claimed()).toEqual([culprit]);
  expect(await claimed()).toBeUndefined();
});

test("a job that lost two workers waits half a minute, so that it is done a minute after the last fault", async () => {
  await abandon(versionIds[0], 1);
  expect(await claimed()).toHaveLength(2);
  expect(await claimed()).toBeUndefined();
  const wait = sql<number>`extract(epoch from ${jobs.runAfter} - now())::float8`;
  const [job] = await db
    .select({ wait })
    .from(jobs)
    .where(eq(jobs.subjectId, versionIds[0] ?? ""));
  expect(job?.wait).toBeGreaterThan(20);
  expect(job?.wait).toBeLessThanOrEqual(30);
});

test("a job that loses its worker three times fails, with a reason", async () => {
  await abandon(versionIds[0], LEASE_LOSSES_MAX - 1);
  await work(scope);
  const states = new Map((await listSources(scope, SYSTEM_ACTOR)).map(({ sourceId, status }) => [sourceId, status]));
  expect(Object.fromEntries(states)).toEqual({ culprit: "failed", bystander: "ready", neighbour: "ready" });
  const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, versionIds);
  expect(failed).toEqual([{ path: "culprit", reason: expect.stringContaining("stopped 3 times without progress") }]);
});

test("a worker that lost its lease cannot fail its former jobs", async () => {
  const [job] = (await ownQueue())?.jobs ?? [];
  if (!job) throw new Error("nothing was claimed");
  await abandon(job.subjectId ?? "", 1);
  expect(await failJob(job, { cause: "final", reason: "late", shown: "late" })).toBe(false);
  const [row] = await db.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, job.id));
  expect(row?.state).toBe("running");
});

test("a job that made new progress is retried soon in the next outage, and not failed for the last one", async () => {
  const since = { unavailableSince: 1, awaySince: 1 };
  await db
    .update(jobs)
    .set({ payload: { ...since, stored: "kept" } })
    .where(eq(jobs.companyId, scope.companyId));
  const [job, other] = (await ownQueue())?.jobs ?? [];
  if (!job || !other) throw new Error("nothing was claimed");
  const stateOf = async ({ id }: { id: string }) => {
    const wait = sql<number>`extract(epoch from ${jobs.runAfter} - now())::float8`;
    const { state, payload } = jobs;
    const [row] = await db.select({ state, payload, wait }).from(jobs).where(eq(jobs.id, id));
    return row;
  };
  const outage = { cause: "unavailable" as const, reason: "away", shown: "away" };

  await reportNewProgress(job, 1, 2);
  expect((await stateOf(job))?.payload).toEqual({ stored: "kept" });
  expect(await failJob(job, outage)).toBe(false);
  const retried = await stateOf(job);
  expect(retried).toMatchObject({ state: "queued", payload: { stored: "kept" } });
  expect(retried?.wait).toBeLessThanOrEqual(5);

  await reportProgress(other, 1, 2);
  expect((await stateOf(other))?.payload).toMatchObject(since);
  expect(await failJob(other, outage)).toBe(true);
});
