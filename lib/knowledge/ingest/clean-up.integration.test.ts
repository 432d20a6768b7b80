import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { jobs, sourceVersions } from "../../db/schema/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { enqueuePurges, failVersionsWithoutJob } from "./clean-up.ts";

const { db } = testDatabase();

test("a version that lost its job fails, and one whose job is queued does not", async () => {
  const scope = await newCompany();
  const given = ["lost", "queued"].map((name) => sourceInput.parse(document(name, `The ${name} text.`)));
  const accepted = await addSources(scope, SYSTEM_ACTOR, given);
  const [lost = "", queued = ""] = accepted.map(({ versionId }) => versionId);
  await db.delete(jobs).where(and(eq(jobs.companyId, scope.companyId), eq(jobs.subjectId, lost)));
  await scope.transaction((tx) => failVersionsWithoutJob(tx, scope.companyId));
  const { id, state } = sourceVersions;
  const rows = await db
    .select({ id, state })
    .from(sourceVersions)
    .where(inArray(id, [lost, queued]));
  expect(new Map(rows.map((row) => [row.id, row.state]))).toEqual(
    new Map([
      [lost, "failed"],
      [queued, "building"],
    ]),
  );
});

test("the purges of many deleted sources are enqueued over several hours", async () => {
  const scope = await newCompany();
  await db.execute(sql`insert into ragstone.sources (company_id, source_id, deleted_at)
    select ${scope.companyId}, 'deleted-' || n, now() - interval '25 hours' from generate_series(1, 1500) as n`);
  const purges = () => db.$count(jobs, and(eq(jobs.companyId, scope.companyId), eq(jobs.kind, "purge")));
  const enqueued: number[] = [];
  for (let hour = 0; hour < 3; hour++) {
    await scope.transaction((tx) => enqueuePurges(tx, scope.companyId));
    enqueued.push(await purges());
  }
  expect(enqueued).toEqual([1_000, 1_500, 1_500]);
});
