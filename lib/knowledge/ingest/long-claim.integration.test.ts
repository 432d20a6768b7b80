import { expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { claimJobs, releaseJobs } from "../../jobs/queue.ts";
import type { Turn } from "../../jobs/turn.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { INGEST } from "./ingest.ts";
import { unfinishedVersions } from "./progress.ts";

testDatabase();

/** Does the jobs of one claim, or as many as the turn allows. */
async function ingestClaim({ companyId }: TenantScope, jobs: number, { hasEnded }: Pick<Turn, "hasEnded">) {
  const claim = await claimJobs("quick", { companyId });
  if (!claim) throw new Error("no job is due");
  expect(claim.jobs).toHaveLength(jobs);
  await INGEST.run(claim, {
    turn: { signal: new AbortController().signal, hasEnded },
    letNextBegin: () => undefined,
    affectsEveryJob: () => true,
    failAttempt: (_job, error) => Promise.reject(error),
  });
  await releaseJobs(claim.token);
}

it("a claim whose first sources are done goes on with the others", async () => {
  const scope = await newCompany();
  // more chunks than are written at once
  const text = Array.from({ length: 5 }, (_, i) => `# Part ${i}\n\nRule ${i} is for guests of group ${i}.`).join(
    "\n\n",
  );
  const given = Array.from({ length: 24 }, (_, i) =>
    sourceInput.parse(document(`source ${i}`, `${text} Source ${i}.`)),
  );
  const accepted = await addSources(scope, SYSTEM_ACTOR, given);
  await ingestClaim(scope, given.length, { hasEnded: () => false });
  const versionIds = accepted.map(({ versionId }) => versionId);
  expect(await unfinishedVersions(scope, SYSTEM_ACTOR, versionIds)).toEqual(new Set());
});

it("processes one source even when reading used up the turn, so that no company waits forever", async () => {
  const scope = await newCompany();
  const given = ["one", "two", "three"].map((name) => sourceInput.parse(document(name, `The rule of ${name}.`)));
  const accepted = await addSources(scope, SYSTEM_ACTOR, given);
  const versionIds = accepted.map(({ versionId }) => versionId);
  for (let waiting = given.length; waiting > 0; waiting--) {
    await ingestClaim(scope, waiting, { hasEnded: () => true });
    expect((await unfinishedVersions(scope, SYSTEM_ACTOR, versionIds)).size).toBe(waiting - 1);
  }
});
