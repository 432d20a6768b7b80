import { expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { claimJobs } from "../../jobs/queue.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";
import { addSources } from "../intake/add.ts";
import { sourceInput } from "../intake/source-input.ts";
import { INGEST } from "./ingest.ts";
import { waitingVersions } from "./progress.ts";

testDatabase();

it("a claim whose first sources are done goes on with the others", async () => {
  const scope = await newCompany();
  const text = Array.from({ length: 12 }, (_, i) => `# Part ${i}\n\nRule ${i} is for guests of group ${i}.`).join(
    "\n\n",
  );
  const given = Array.from({ length: 40 }, (_, i) =>
    sourceInput.parse(document(`source ${i}`, `${text} Source ${i}.`)),
  );
  const accepted = await addSources(scope, SYSTEM_ACTOR, given);
  const claim = await claimJobs("quick", { companyId: scope.companyId });
  if (!claim) throw new Error("no job is due");
  expect(claim.jobs).toHaveLength(given.length);
  await INGEST.run(claim, {
    turn: { signal: new AbortController().signal, hasEnded: () => false },
    affectsEveryJob: () => true,
    failAttempt: (_job, error) => Promise.reject(error),
  });
  const versionIds = accepted.map(({ versionId }) => versionId);
  expect(await waitingVersions(scope, SYSTEM_ACTOR, versionIds)).toEqual(new Set());
});
