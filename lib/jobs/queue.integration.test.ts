import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addSources } from "../knowledge/add.ts";
import { listSources } from "../knowledge/list.ts";
import { sourceInput } from "../knowledge/source-input.ts";
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
async function abandoned(versionId: string | undefined, attempts: number): Promise<void> {
  await db
    .update(jobs)
    .set({ state: "running", attempts, leaseToken: crypto.randomUUID(), leaseUntil: sql`now() - interval '1 second'` })
    .where(eq(jobs.subjectId, versionId ?? ""));
}

const claimed = async () => (await claimJobs(64, scope.companyId))?.jobs.map(({ subjectId }) => subjectId);

test("what ended its worker several times is tried alone, the others together", async () => {
  const [culprit] = versionIds;
  await abandoned(culprit, 3);
  const claims = [await claimed(), await claimed()];
  expect(claims).toContainEqual([culprit]);
  expect(claims.flat().sort()).toEqual(versionIds.toSorted());
  expect(await claimed()).toBeUndefined();
});

test("what ends its worker again and again is given up in the end", async () => {
  await abandoned(versionIds[0], DEATHS_MAX);
  await work(scope);
  const states = new Map((await listSources(scope, SYSTEM_ACTOR)).map(({ sourceId, status }) => [sourceId, status]));
  expect(Object.fromEntries(states)).toEqual({ culprit: "failed", bystander: "ready", neighbour: "ready" });
});

test("a worker whose jobs another one has taken over cannot call them failed", async () => {
  const claim = await claimJobs(1, scope.companyId);
  const [job] = claim?.jobs ?? [];
  if (!claim || !job) throw new Error("nothing was claimed");
  await abandoned(job.subjectId ?? "", 1);
  expect(await failJob(job, claim.token, { cause: "final", reason: "late", shown: "late" })).toBe(false);
  const [row] = await db.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, job.id));
  expect(row?.state).toBe("running");
});
