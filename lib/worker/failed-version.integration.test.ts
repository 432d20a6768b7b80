import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { jobs } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { parseEnv } from "../env.ts";
import { listSources } from "../knowledge/browse/list.ts";
import { outcomeOf } from "../knowledge/ingest/progress.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { sourceInput } from "../knowledge/intake/source-input.ts";
import { testDatabase } from "../testing/database.ts";
import { ask, document, newCompany, work } from "../testing/knowledge.ts";

const { db } = testDatabase();
const source = sourceInput.parse(document("ferry", "The ferry sails at nine."));

let scope: TenantScope;
beforeEach(async () => {
  scope = await newCompany();
});
afterEach(() => {
  RUNNING_MODELS.set();
});

const statuses = async () => (await listSources(scope, SYSTEM_ACTOR)).map(({ status }) => status);

/** Adding the same source again must process it, because the retry button and the command line do that. */
async function expectRetry(): Promise<void> {
  expect(await addSources(scope, SYSTEM_ACTOR, [source])).toMatchObject([{ unchanged: false }]);
  await work(scope);
  expect(await statuses()).toEqual(["ready"]);
  expect((await ask(scope, { queryText: "ferry" })).response.total).toBe(1);
}

describe("a version without a job to process it", () => {
  it("has failed, with a reason, when the model cannot be loaded in any attempt", async () => {
    RUNNING_MODELS.set(createModels(parseEnv({ EMBEDDING_MODEL_DIR: "docs" })));
    const [accepted] = await addSources(scope, SYSTEM_ACTOR, [source]);
    await db
      .update(jobs)
      .set({ attempts: 4 })
      .where(eq(jobs.subjectId, accepted?.versionId ?? ""));
    await work(scope);
    expect(await statuses()).toEqual(["failed"]);
    const { failed } = await outcomeOf(scope, SYSTEM_ACTOR, [accepted?.versionId ?? ""]);
    expect(failed).toEqual([{ path: "ferry", reason: expect.stringContaining("Try again") }]);
    RUNNING_MODELS.set();
    await expectRetry();
  });

  it("is failed by the hourly job when an earlier release left it so", async () => {
    const [accepted] = await addSources(scope, SYSTEM_ACTOR, [source]);
    await db.delete(jobs).where(eq(jobs.subjectId, accepted?.versionId ?? ""));
    await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
    await work(scope);
    expect(await statuses()).toEqual(["failed"]);
    await expectRetry();
  });

  it("is not one whose job waits for its next try", async () => {
    await addSources(scope, SYSTEM_ACTOR, [source]);
    const own = and(eq(jobs.companyId, scope.companyId), eq(jobs.kind, "ingest"));
    await db
      .update(jobs)
      .set({ runAfter: new Date(Date.now() + 60_000) })
      .where(own);
    await db.insert(jobs).values({ companyId: scope.companyId, kind: "maintain" });
    await work(scope);
    expect(await statuses()).toEqual(["processing"]);
  });
});
