import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { jobs, sourceVersions } from "../../db/schema/index.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { failVersionsWithoutJob } from "./clean-up.ts";

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
