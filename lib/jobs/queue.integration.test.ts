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
import { claimJobs, DEATHS_MAX, failJob } from "./queue.ts";

const { db } = testDatabase();
let scope: TenantScope;
let versionIds: string[];

beforeEach(async () => {
  scope = await newCompany();
  const sources = ["culprit", "bystander", "neighbour"].map((name) => sourceInput.parse(document(name, `A ${name}.`)));
  versionIds = (await addSources(scope, SYSTEM_ACTOR, sources)).map(({ versionId }) => versionId);
});

/** As a worker leaves its jobs when it is killed. */
async function abandoned(versionId: string | undefined, deaths: number): Promise<void> {
  await db
    .update(jobs)
    .set({ state: "running", deaths, leaseToken: crypto.randomUUID(), leaseUntil: sql`now() - interval '1 second'` })
    .where(eq(jobs.subjectId, versionId ?? ""));
}

const ownQueue = () => claimJobs("quick", { companyId: scope.companyId });
const claimed = async () => (await ownQueue())?.jobs.map(({ subjectId }) => subjectId);

test("what may have ended its worker is tried alone, after the others", async () => {
  const [culprit, ...others] = versionIds;
  await abandoned(culprit, 0);
  expect((await claimed())?.sort()).toEqual(others.toSorted());
  expect(await claimed()).toEqual([culprit]);
  expect(await claimed()).toBeUndefined();
});

test("what ends its worker again and again is given up, with a sentence", async () => {
  await abandoned(versionIds[0], DEATHS_MAX - 1);
  await work(scope);
  const states = new Map((await listSources(scope, SYSTEM_ACTOR)).map(({ sourceId, status }) => [sourceId, status]));
  expect(Object.fromEntries(states)).toEqual({ culprit: "failed", bystander: "ready", neighbour: "ready" });
  const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, versionIds);
  expect(failed).toEqual([{ path: "culprit", reason: expect.stringContaining("stopped 3 times without progress") }]);
});

test("a worker whose jobs another one has taken over cannot call them failed", async () => {
  const [job] = (await ownQueue())?.jobs ?? [];
  if (!job) throw new Error("nothing was claimed");
  await abandoned(job.subjectId ?? "", 1);
  expect(await failJob(job, { cause: "final", reason: "late", shown: "late" })).toBe(false);
  const [row] = await db.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, job.id));
  expect(row?.state).toBe("running");
});
