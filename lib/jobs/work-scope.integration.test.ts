import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { companies, jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany } from "../testing/knowledge.ts";
import type { Job } from "./job.ts";
import { claimJobs } from "./queue.ts";
import { LeaseLost, workScope } from "./work-scope.ts";

const { db } = testDatabase();
let scope: TenantScope;
let claimed: Job[];

beforeEach(async () => {
  scope = await newCompany();
  await addSources(scope, SYSTEM_ACTOR, [sourceInput.parse(document("source", "A source."))]);
  claimed = (await claimJobs("quick", { companyId: scope.companyId }))?.jobs ?? [];
});

const stampOf = async () =>
  (await db.select({ stamp: companies.contentStamp }).from(companies).where(eq(companies.id, scope.companyId)))[0]
    ?.stamp;

test.each(["transaction", "changeContent"] as const)(
  "%s starts no work once another worker has the jobs",
  async (kind) => {
    await db.update(jobs).set({ leaseToken: crypto.randomUUID() }).where(eq(jobs.companyId, scope.companyId));
    const stamp = await stampOf();
    const work = vi.fn(async () => undefined);
    await expect(workScope(claimed)[kind](work)).rejects.toThrow(LeaseLost);
    expect(work).not.toHaveBeenCalled();
    expect(await stampOf()).toBe(stamp);
  },
);

test.each(["transaction", "changeContent"] as const)("%s works while the lease is held", async (kind) => {
  expect(await workScope(claimed)[kind](async () => "done")).toBe("done");
});
