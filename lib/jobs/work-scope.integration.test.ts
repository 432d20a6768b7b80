import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { companies, jobs, sources } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import type { TenantScope } from "../db/tenant.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { document, newCompany } from "../testing/knowledge.ts";
import type { Job } from "./job.ts";
import { claimJobs } from "./queue.ts";
import { CompanyGone, LeaseLost, workScope } from "./work-scope.ts";

const { db, embedded } = testDatabase();
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

describe("a message of statements", () => {
  const rename = (id: string) => sql`update ragstone.sources set source_id = ${textLiteral(id)}
    where company_id = ${companyLiteral(scope.companyId)}`;
  const ids = async () =>
    (await db.select({ id: sources.sourceId }).from(sources).where(eq(sources.companyId, scope.companyId))).map(
      ({ id }) => id,
    );

  test("is carried out while the lease is held", async () => {
    await workScope(claimed).write([rename("new")]);
    expect(await ids()).toEqual(["new"]);
  });

  test("changes nothing once another worker has the jobs", async () => {
    await db.update(jobs).set({ leaseToken: crypto.randomUUID() }).where(eq(jobs.companyId, scope.companyId));
    await expect(workScope(claimed).write([rename("new")])).rejects.toThrow(LeaseLost);
    expect(await ids()).toEqual(["source"]);
  });

  test("changes nothing once another worker has the jobs of the scope, although others of the claim are held", async () => {
    await db.update(jobs).set({ leaseToken: crypto.randomUUID() }).where(eq(jobs.companyId, scope.companyId));
    await db.insert(jobs).values({
      companyId: scope.companyId,
      kind: "ingest",
      state: "running",
      leaseToken: claimed[0]?.leaseToken,
    });
    await expect(workScope(claimed).write([rename("new")])).rejects.toThrow(LeaseLost);
    expect(await ids()).toEqual(["source"]);
  });

  test("is refused once the company is deleted", async () => {
    await db.delete(companies).where(eq(companies.id, scope.companyId));
    await expect(workScope(claimed).write([rename("new")])).rejects.toThrow(CompanyGone);
  });

  test("has the time limit of a transaction", async () => {
    const limit = sql`select current_setting('statement_timeout') as "limit"`;
    const inTransaction = await workScope(claimed).transaction((tx) => tx.execute(limit));
    expect(await workScope(claimed).write([limit])).toEqual([...inTransaction]);
    expect(inTransaction).toEqual([{ limit: embedded ? "0" : "1min" }]);
  });

  test("fails with the error of a statement", async () => {
    await expect(workScope(claimed).write([rename("new"), sql`select 1 / 0`])).rejects.toThrow("division by zero");
    expect(await ids()).toEqual(["source"]);
  });
});
